// Where Qwen Code keeps its settings and transcripts.
import { isAbsolute, join, resolve } from 'node:path';
import type { Machine } from '../../platform/machine.ts';
import type { FileStart } from '../common/agent.ts';
import { objectOf, stringOf } from '../common/json-fields.ts';

export function qwenFolder({ environment, userHome }: Machine): string {
  const chosen = environment.QWEN_HOME;
  return chosen === undefined || chosen === '' ? join(userHome, '.qwen') : resolve(chosen);
}

const SESSION = /[\\/]chats[\\/][^\\/]+\.jsonl$/;
const SUBAGENT = /[\\/]subagents[\\/][^\\/]+[\\/]agent-[^\\/]+\.jsonl$/;

export function isTranscript(path: string): boolean {
  return isAbsolute(path) && (SESSION.test(path) || SUBAGENT.test(path));
}

/** Lines like Claude Code's, with `parts` in a message. A first line may be one of the system's. */
export function recognises({ lines }: FileStart): boolean {
  return lines.some(
    (line) =>
      stringOf(line.sessionId) !== null &&
      stringOf(line.uuid) !== null &&
      Array.isArray(objectOf(line.message)?.parts),
  );
}
