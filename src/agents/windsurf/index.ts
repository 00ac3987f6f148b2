// Windsurf. Its own files are encrypted, so hooks are all there is.
import type { Agent } from '../common/agent.ts';
import { windsurfFolder } from './files.ts';
import { hooks } from './hooks.ts';

export const windsurf: Agent = {
  name: 'windsurf',
  title: 'Windsurf',
  programs: ['windsurf'],
  folder: windsurfFolder,
  hooks,
  transcripts: null,
};
