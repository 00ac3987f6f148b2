// Gemini CLI, Google's coding agent. The facts are from 0.61.0 and from transcripts of March and April 2026.
import { join } from 'node:path';
import type { Agent } from '../common/agent.ts';
import { jsonServers } from '../common/mcp-servers.ts';
import { geminiFolder, isDocument, isTranscript, recognises, transcriptFolder } from './files.ts';
import { hooks } from './hooks.ts';
import { documentFormat, lineFormat } from './transcript.ts';

export const geminiCli: Agent = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  programs: ['gemini'],
  folder: geminiFolder,
  hooks,
  mcp: jsonServers((machine) => join(geminiFolder(machine), 'settings.json')),
  transcripts: {
    folders: (machine) => [transcriptFolder(machine)],
    isTranscript,
    // The next start deletes a session that was resumed in another minute.
    areDeleted: true,
    recognises,
    format: lineFormat,
    otherFormat: (file) => (isDocument(file) ? documentFormat : null),
  },
};
