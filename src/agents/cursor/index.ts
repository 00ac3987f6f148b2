// Cursor. Its hooks are the source; transcripts of sessions before the hooks were installed can be imported by hand.
import { join } from 'node:path';
import type { Agent } from '../common/agent.ts';
import { jsonServers } from '../common/mcp-servers.ts';
import { cursorFolder, isTranscript, recognises } from './files.ts';
import { hooks } from './hooks.ts';
import { format } from './transcript.ts';

export const cursor: Agent = {
  name: 'cursor',
  title: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  folder: cursorFolder,
  hooks,
  mcp: jsonServers((machine) => join(cursorFolder(machine), 'mcp.json')),
  transcripts: {
    // Read while a session runs, they would report what its hooks report, and nothing shows which line is which hook.
    folders: () => [],
    isTranscript,
    recognises,
    format,
  },
};
