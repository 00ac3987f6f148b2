// Payloads as Claude Code sends them to hooks, and spool files as the capture script writes them.
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { END_MARK } from '../../src/capture/spool/end-mark.ts';

export type Payload = Readonly<Record<string, unknown>>;

export const SESSION = '5f3c1b1e-0d4c-4f7e-9d2a-1f7c6e2b9a10';

/** A payload with the fields common to all events. `prompt_id: undefined` omits it, as in older versions. */
export function payload(event: string, fields: Payload = {}): Payload {
  return {
    session_id: SESSION,
    transcript_path: `/home/u/.claude/projects/-home-u-app/${SESSION}.jsonl`,
    cwd: '/home/u/app',
    permission_mode: 'default',
    prompt_id: 'p-1',
    hook_event_name: event,
    ...fields,
  };
}

export const asked = (prompt: string, fields: Payload = {}): Payload =>
  payload('UserPromptSubmit', { prompt, source: 'user', ...fields });

export const used = (id: string, output: string, fields: Payload = {}): Payload =>
  payload('PostToolUse', {
    tool_name: 'Bash',
    tool_use_id: id,
    tool_input: { command: `cat ${id}.txt` },
    tool_response: { stdout: output, stderr: '', interrupted: false },
    duration_ms: 5,
    ...fields,
  });

export const stopped = (text: string, fields: Payload = {}): Payload =>
  payload('Stop', { stop_hook_active: false, last_assistant_message: text, background_tasks: [], ...fields });

/** Writes a whole file to spool/new; `at` is its modification time, Unix ms. */
export function leave(home: string, name: string, content: Payload | string, at?: number): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return leaveUnfinished(home, name, text + END_MARK, at);
}

/** The same without the mark at its end. */
export function leaveUnfinished(home: string, name: string, text: string, at?: number): string {
  const path = join(home, 'spool/new', name);
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
  if (at !== undefined) utimesSync(path, (at + 0.25) / 1000, (at + 0.25) / 1000);
  return path;
}

export function waiting(home: string, folder = 'new'): readonly string[] {
  try {
    return readdirSync(join(home, 'spool', folder)).sort();
  } catch {
    return [];
  }
}

/** Every file below a folder that contains any of the words, compared as bytes. */
export function filesWith(folder: string, words: readonly string[]): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return words.some((word) => bytes.includes(word));
    });
}
