// Qwen Code, Alibaba's fork of Gemini CLI. The facts are from 0.24.4.
import { join } from 'node:path';
import type { Agent } from '../common/agent.ts';
import { jsonServers } from '../common/mcp-servers.ts';
import { isTranscript, qwenFolder, recognises } from './files.ts';
import { hooks } from './hooks.ts';
import { format } from './transcript.ts';

export const qwenCode: Agent = {
  name: 'qwen-code',
  title: 'Qwen Code',
  programs: ['qwen'],
  folder: qwenFolder,
  hooks,
  mcp: jsonServers((machine) => join(qwenFolder(machine), 'settings.json')),
  transcripts: {
    folders: (machine) => [join(qwenFolder(machine), 'projects')],
    isTranscript,
    recognises,
    format,
  },
};
