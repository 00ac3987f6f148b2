// OpenCode. The facts are from 1.18.33, and from exports of 1.2.
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
  transcripts: {
    // Sessions are in a database; an export lies where a person has put it.
    folders: () => [],
    isTranscript: isExportName,
    recognises: isExport,
    format: exportFormat,
  },
};
