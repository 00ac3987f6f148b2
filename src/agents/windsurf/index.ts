// Windsurf. Its own files are encrypted, so hooks are all there is.
import { join } from 'node:path';
import type { Agent } from '../common/agent.ts';
import { jsonServers } from '../common/mcp-servers.ts';
import { windsurfFolder } from './files.ts';
import { hooks } from './hooks.ts';

export const windsurf: Agent = {
  name: 'windsurf',
  title: 'Windsurf',
  programs: ['windsurf'],
  folder: windsurfFolder,
  hooks,
  mcp: jsonServers((machine) => join(windsurfFolder(machine), 'mcp_config.json')),
  transcripts: null,
};
