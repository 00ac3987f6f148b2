// Where Cursor keeps its settings and transcripts, and how a transcript is recognised.
import { join } from 'node:path';
import type { Machine } from '../../platform/machine.ts';
import type { FileStart } from '../common/agent.ts';
import { objectOf } from '../common/json-fields.ts';

export function cursorFolder({ userHome }: Machine): string {
  return join(userHome, '.cursor');
}

export function isTranscript(path: string): boolean {
  return /[\\/]agent-transcripts[\\/].+\.jsonl$/.test(path);
}

/** Files of sub-agents name neither themselves nor what launched them. */
export function isOfSubagent(path: string): boolean {
  return /[\\/]subagents[\\/]/.test(path);
}

/** A line has a role and a message, and nothing else. */
export function recognises({ lines: [first] }: FileStart): boolean {
  return (
    first !== undefined &&
    (first.role === 'user' || first.role === 'assistant') &&
    Array.isArray(objectOf(first.message)?.content) &&
    Object.keys(first).length === 2
  );
}
