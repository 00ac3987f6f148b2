// Codex, OpenAI's coding agent.
import { join } from 'node:path';
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
  mcp: {
    form: 'toml',
    key: 'mcp_servers',
    files: (machine) => [join(codexFolder(machine), 'config.toml')],
    server: ([command = '', ...args]) => ({ command, ...(args.length === 0 ? {} : { args }) }),
  },
  transcripts: {
    folders: rolloutFolders,
    isTranscript: isRollout,
    recognises,
    format: rolloutFormat,
    otherFormat: (file) => (isCompressed(file) ? compressedFormat : null),
  },
};
