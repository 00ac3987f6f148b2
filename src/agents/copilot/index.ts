// GitHub Copilot CLI.
import { join } from 'node:path';
import type { Agent } from '../common/agent.ts';
import { jsonServers } from '../common/mcp-servers.ts';
import { copilotFolder, isTranscript, recognises, sessionFolder } from './files.ts';
import { hooks } from './hooks.ts';
import { copilotFormat } from './transcript.ts';

export const copilot: Agent = {
  name: 'copilot',
  title: 'Copilot CLI',
  // No `programs`: AWS has a program of this name.
  folder: copilotFolder,
  hooks,
  mcp: jsonServers((machine) => join(copilotFolder(machine), 'mcp-config.json'), {
    type: 'local',
    tools: ['*'],
  }),
  transcripts: {
    folders: (machine) => [sessionFolder(machine)],
    isTranscript,
    recognises,
    format: copilotFormat,
  },
};
