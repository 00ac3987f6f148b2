// Where Gemini CLI keeps its settings and transcripts.
import { isAbsolute, join, resolve } from 'node:path';
import type { Machine } from '../../platform/machine.ts';
import type { FileStart } from '../common/agent.ts';
import { stringOf } from '../common/json-fields.ts';

export function geminiFolder({ environment, userHome }: Machine): string {
  const home = environment.GEMINI_CLI_HOME;
  return join(home === undefined || home === '' ? userHome : resolve(home), '.gemini');
}

/** `tmp/<project>/chats`; files of sub-agents are in a folder named after the session. */
export function transcriptFolder(machine: Machine): string {
  return join(geminiFolder(machine), 'tmp');
}

const SESSION = /[\\/]chats[\\/]session-[^\\/]+\.jsonl?$/;
const SUBAGENT = /[\\/]chats[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/;

export function isTranscript(path: string): boolean {
  return isAbsolute(path) && (SESSION.test(path) || SUBAGENT.test(path));
}

export function isDocument({ path }: FileStart): boolean {
  return path.endsWith('.json');
}

/** The first line names the session and the project's hash; so does the beginning of a document. */
export function recognises(file: FileStart): boolean {
  if (isDocument(file)) return /^\s*\{/.test(file.text) && HEAD.every((field) => field.test(file.text));
  return file.lines.some((line) => stringOf(line.sessionId) !== null && stringOf(line.projectHash) !== null);
}

const HEAD = [/"sessionId"\s*:\s*"/, /"projectHash"\s*:\s*"/, /"messages"\s*:\s*\[/];
