// Where OpenCode keeps its settings, and what its exports look like. It stores sessions in a database of its own, which
// is never read: `opencode export` writes a session as one JSON object.
import { join } from 'node:path';
import type { Machine } from '../../platform/machine.ts';
import type { FileStart } from '../common/agent.ts';

/** It is read even if OPENCODE_CONFIG_DIR names another one. */
export function settingsFolder({ environment, userHome }: Machine): string {
  return join(environment.XDG_CONFIG_HOME || join(userHome, '.config'), 'opencode');
}

export function isExportName(path: string): boolean {
  return /(?:^|[\\/])ses_[^\\/]*\.json$/.test(path);
}

export function isExport({ text }: FileStart): boolean {
  return /^\s*\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"ses_/.test(text);
}
