// OpenCode. The facts are from 1.18.33, and from exports of 1.2.
import { join } from 'node:path';
import type { Agent } from '../common/agent.ts';
import { isExport, isExportName, settingsFolder } from './files.ts';
import { hooks } from './hooks.ts';
import { exportFormat } from './transcript.ts';

export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  folder: settingsFolder,
  hooks,
  mcp: {
    form: 'json',
    key: 'mcp',
    // It reads both, and makes the first one itself.
    files: (machine) =>
      ['opencode.jsonc', 'opencode.json'].map((name) => join(settingsFolder(machine), name)),
    server: (words) => ({ type: 'local', command: [...words], enabled: true }),
  },
  transcripts: {
    // Sessions are in a database; an export lies where a person has put it.
    folders: () => [],
    isTranscript: isExportName,
    recognises: isExport,
    format: exportFormat,
  },
};
