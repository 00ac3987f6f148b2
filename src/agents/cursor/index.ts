// Cursor. Its hooks are the source: transcripts have no ids, no times and no results, so they are not read.
import { join } from 'node:path';
import type { Agent } from '../common/agent.ts';
import { jsonServers } from '../common/mcp-servers.ts';
import { cursorFolder } from './files.ts';
import { hooks } from './hooks.ts';

export const cursor: Agent = {
  name: 'cursor',
  title: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  folder: cursorFolder,
  hooks,
  mcp: jsonServers((machine) => join(cursorFolder(machine), 'mcp.json')),
  transcripts: null,
};
