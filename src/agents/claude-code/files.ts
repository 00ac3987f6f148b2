// Where Claude Code keeps its settings and transcripts.
import { join, resolve } from 'node:path';
import type { Machine } from '../../platform/machine.ts';
import type { FileStart } from '../common/agent.ts';

export function claudeFolder({ environment: { CLAUDE_CONFIG_DIR }, userHome }: Machine): string {
  return CLAUDE_CONFIG_DIR === undefined || CLAUDE_CONFIG_DIR === ''
    ? join(userHome, '.claude')
    : resolve(CLAUDE_CONFIG_DIR);
}

export function recognises({ lines }: FileStart): boolean {
  return lines.some(
    ({ sessionId, uuid, type, leafUuid }) =>
      (typeof sessionId === 'string' && typeof type === 'string') ||
      (typeof uuid === 'string' && typeof type === 'string') ||
      typeof leafUuid === 'string',
  );
}
