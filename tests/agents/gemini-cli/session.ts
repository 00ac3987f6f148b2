// A session in the form of Gemini CLI 0.61.0, made by hand.
import type { Json } from '../../../log/index.ts';

export const CHATS = '/home/u/.gemini/tmp/app/chats';
export const SESSION = '1d8c727f-851e-4da0-bdd3-f7d1fc279d88';
export const FILE = `${CHATS}/session-2026-11-22T18-14-1d8c727f.jsonl`;
export const SUBAGENT = '56f006b6-337e-43f7-b670-90bbd250e3f9';

type Fields = { readonly [name: string]: Json };

export const time = (second: number): string =>
  new Date(Date.UTC(2026, 10, 22, 18, 14, second)).toISOString();

export const head = (fields: Fields = {}): Fields => ({
  sessionId: SESSION,
  projectHash: '65f81a8a',
  startTime: time(0),
  lastUpdated: time(0),
  kind: 'main',
  ...fields,
});

export const context: Fields = {
  id: 'd04923d38bb0',
  timestamp: time(1),
  type: 'user',
  content: [
    {
      text: `<session_context>
This is the Gemini CLI. We are setting up the context for our chat.
- **Workspace Directories:**
  - /home/u/app
- **Directory Structure:**
</session_context>`,
    },
  ],
};

export const user = (id: string, second: number, text: string, fields: Fields = {}): Fields => ({
  id,
  timestamp: time(second),
  type: 'user',
  content: [{ text }],
  ...fields,
});

export const model = (id: string, second: number, content: string, fields: Fields = {}): Fields => ({
  id,
  timestamp: time(second),
  type: 'gemini',
  content,
  thoughts: [],
  tokens: { input: 50, output: 30, cached: 20, thoughts: 5, tool: 0, total: 85 },
  model: 'gemini-3.8-flash',
  ...fields,
});

export const answer = (id: string, name: string, response: Fields): Fields => ({
  functionResponse: { id, name, response },
});

export const call = (
  id: string,
  name: string,
  args: Fields,
  output: string,
  fields: Fields = {},
): Fields => ({
  id,
  name,
  args,
  result: [answer(id, name, { output })],
  status: 'success',
  timestamp: time(9),
  ...fields,
});

/** The form in which commands report. */
export const printed = (output: string, ...labels: string[]): string =>
  `<untrusted_context>\n${[`Output: ${output}`, ...labels, 'Process Group PGID: 7710'].join('\n')}\n</untrusted_context>`;

export const failing = call(
  'shell__1',
  'run_shell_command',
  { command: 'cat missing.txt', description: 'run it' },
  printed('cat: missing.txt: No such file or directory', 'Exit Code: 1'),
  { resultDisplay: 'cat: missing.txt: No such file or directory' },
);

/** A prompt, a failing command, an answer; each message with calls is written twice, results once more. */
export const firstTurn: readonly Fields[] = [
  head(),
  { $set: { messages: [context], lastUpdated: time(1) } },
  user('u1', 2, 'Read the file'),
  { $set: { lastUpdated: time(2) } },
  model('g1', 3, 'I read it.'),
  model('g1', 3, 'I read it.', { toolCalls: [failing] }),
  {
    id: 'r1',
    timestamp: time(4),
    type: 'user',
    content: [answer('shell__1', 'run_shell_command', { output: 'x' })],
  },
  model('g2', 5, 'There is no such file.'),
  { $set: { lastUpdated: time(5) } },
];

export const textOf = (lines: readonly Fields[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
