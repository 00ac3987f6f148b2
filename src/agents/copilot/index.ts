// GitHub Copilot CLI.
import { join } from 'node:path';
import type { Machine } from '../../platform/machine.ts';
import type { Agent } from '../common/agent.ts';
import { objectOf } from '../common/json-fields.ts';
import { copilotHooks } from './copilot-hooks.ts';
import { copilotFormat } from './copilot-transcript.ts';

export const copilot: Agent = {
  name: 'copilot',
  title: 'Copilot CLI',
  // No `programs`: AWS has a program of this name.
  folder: copilotFolder,
  hooks: copilotHooks(copilotFolder),
  transcripts: {
    folders: (machine) => [join(copilotFolder(machine), 'session-state')],
    isTranscript: (path) => /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/.test(path),
    recognises: ({ lines: [first] }) =>
      first?.type === 'session.start' && objectOf(first.data)?.producer === 'copilot-agent',
    format: copilotFormat,
  },
};

function copilotFolder({ environment, userHome }: Machine): string {
  return environment.COPILOT_HOME || join(userHome, '.copilot');
}
