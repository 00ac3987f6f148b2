// Where Copilot CLI keeps its settings and transcripts.
import { join } from 'node:path';
import type { Machine } from '../../platform/machine.ts';
import type { FileStart } from '../common/agent.ts';
import { objectOf } from '../common/json-fields.ts';

export function copilotFolder({ environment, userHome }: Machine): string {
  return environment.COPILOT_HOME || join(userHome, '.copilot');
}

export function sessionFolder(machine: Machine): string {
  return join(copilotFolder(machine), 'session-state');
}

export function isTranscript(path: string): boolean {
  return /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/.test(path);
}

export function recognises({ lines: [first] }: FileStart): boolean {
  return first?.type === 'session.start' && objectOf(first.data)?.producer === 'copilot-agent';
}
