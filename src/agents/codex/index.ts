// Codex, OpenAI's coding agent.
import type { Agent } from '../common/agent.ts';
import { codexFolder, isCompressed, isRollout, recognises, rolloutFolders } from './files.ts';
import { hooks } from './hooks.ts';
import { compressedFormat, rolloutFormat } from './transcript.ts';

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  programs: ['codex'],
  folder: codexFolder,
  hooks,
  transcripts: {
    folders: rolloutFolders,
    isTranscript: isRollout,
    recognises,
    format: rolloutFormat,
    otherFormat: (file) => (isCompressed(file) ? compressedFormat : null),
  },
};
