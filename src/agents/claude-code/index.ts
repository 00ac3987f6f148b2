import { join } from 'node:path';
import type { Agent } from '../common/agent.ts';
import { claudeFolder, recognises } from './files.ts';
import { hooks } from './hooks.ts';
import { openTranscript } from './open-transcript.ts';

export const claudeCode: Agent = {
  name: 'claude-code',
  title: 'Claude Code',
  programs: ['claude'],
  folder: claudeFolder,
  hooks,
  transcripts: {
    folders: (machine) => [join(claudeFolder(machine), 'projects')],
    isTranscript: (path) => path.endsWith('.jsonl'),
    recognises,
    open: openTranscript,
  },
};
