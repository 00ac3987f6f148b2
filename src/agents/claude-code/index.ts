import { join, resolve } from 'node:path';
import type { Agent } from '../common/agent.ts';
import { jsonServers } from '../common/mcp-servers.ts';
import { claudeFolder, recognises } from './files.ts';
import { hooks } from './hooks.ts';
import { openTranscript } from './open-transcript.ts';

export const claudeCode: Agent = {
  name: 'claude-code',
  title: 'Claude Code',
  programs: ['claude'],
  folder: claudeFolder,
  hooks,
  // Beside the folder, not in it; in it if a person chose the folder.
  mcp: jsonServers(
    ({ environment, userHome }) => join(resolve(environment.CLAUDE_CONFIG_DIR || userHome), '.claude.json'),
    { type: 'stdio' },
  ),
  transcripts: {
    folders: (machine) => [join(claudeFolder(machine), 'projects')],
    isTranscript: (path) => path.endsWith('.jsonl'),
    recognises,
    open: openTranscript,
  },
};
