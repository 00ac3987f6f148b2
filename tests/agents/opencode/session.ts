// A session in the form of OpenCode 1.18.33, made by hand.
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';

export const SESSION = 'ses_30bfbb6f4ffeJ2960akRy1tOR3';
export const PARENT = 'ses_30bf00000ffeJ2960akRy1tOR3';
/** Unix ms of a second of the session. */
export const at = (second: number): number => 1_795_372_034_000 + second * 1_000;

export const text = (words: string, fields: JsonObject = {}): JsonObject => ({
  type: 'text',
  text: words,
  id: 'prt_1',
  ...fields,
});

export const tool = (
  callID: string,
  name: string,
  second: number,
  state: JsonObject,
  fields: JsonObject = {},
): JsonObject => ({
  type: 'tool',
  tool: name,
  callID,
  id: `prt_${callID}`,
  state: { status: 'completed', time: { start: at(second), end: at(second + 1) }, ...state },
  ...fields,
});

export const user = (id: string, second: number, parts: readonly JsonObject[]): JsonObject => ({
  info: { role: 'user', id, time: { created: at(second) }, agent: 'build', sessionID: SESSION },
  parts,
});

export const answer = (
  id: string,
  second: number,
  parentID: string,
  parts: readonly JsonObject[],
  fields: JsonObject = {},
): JsonObject => ({
  info: {
    role: 'assistant',
    ...{ id, parentID, modelID: 'scripted', providerID: 'kit', agent: 'build', sessionID: SESSION },
    path: { cwd: '/home/u/app', root: '/home/u/app' },
    time: { created: at(second), completed: at(second + 2) },
    tokens: { total: 100, input: 50, output: 20, reasoning: 10, cache: { write: 5, read: 15 } },
    finish: 'stop',
    ...fields,
  },
  parts: [{ type: 'step-start', snapshot: 'a' }, ...parts, { type: 'step-finish', reason: 'stop' }],
});

export const exported = (messages: readonly JsonObject[], info: JsonObject = {}): JsonObject => ({
  info: {
    id: SESSION,
    slug: 'playful-engine',
    directory: '/home/u/app',
    title: 'A short title',
    version: '1.18.33',
    time: { created: at(0), updated: at(90) },
    ...info,
  },
  messages,
});

export const failing = tool('call_1', 'bash', 3, {
  input: { command: 'cat missing.txt', description: 'run it' },
  output: 'cat: missing.txt: No such file or directory\n',
  metadata: { output: 'cat: missing.txt: No such file or directory\n', exit: 1, truncated: false },
});

/** A prompt, a failing command, an answer. */
export const firstTurn: readonly JsonObject[] = [
  user('msg_1', 1, [text('"Read the file"')]),
  answer('msg_2', 2, 'msg_1', [text('I read it.'), failing], { finish: 'tool-calls' }),
  answer('msg_3', 5, 'msg_1', [text('There is no such file.')]),
];
