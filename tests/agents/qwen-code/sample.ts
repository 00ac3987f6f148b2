// A session in the form of Qwen Code 0.24.4, made by hand.
import type { Json } from '../../../log/index.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import type { Sample } from '../common/sample.ts';

export const FILE = '/home/u/.qwen/projects/-home-u-app/chats/s1.jsonl';

export const line = (uuid: string, type: string, parts: Json, fields: JsonObject = {}): JsonObject => ({
  uuid,
  sessionId: 's1',
  timestamp: '2026-11-22T18:16:22.827Z',
  type,
  cwd: '/home/u/app',
  version: '0.24.4',
  gitBranch: 'main',
  message: { parts },
  ...fields,
});
export const person = { provenance: 'real_user' };
export const FAILED =
  'Command: cat x\nDirectory: (root)\nOutput: no\nError: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: (none)';
export const answered = (id: string, name: string, response: JsonObject) => [
  { functionResponse: { id, name, response } },
];
const usageMetadata = {
  ...{ promptTokenCount: 50, candidatesTokenCount: 30, thoughtsTokenCount: 7, cachedContentTokenCount: 20 },
};

export const session: readonly JsonObject[] = [
  line('u1', 'user', [{ text: 'Read x' }], person),
  { ...line('t1', 'system', []), subtype: 'ui_telemetry' },
  line(
    'a1',
    'assistant',
    [
      { text: 'I think.', thought: true },
      { text: 'I read.' },
      { functionCall: { id: 'c1', name: 'run_shell_command', args: { command: 'cat x' } } },
    ],
    { model: 'scripted', usageMetadata },
  ),
  line('r1', 'tool_result', answered('c1', 'run_shell_command', { error: FAILED }), {
    toolCallResult: { callId: 'c1', status: 'error', resultDisplay: { output: 'no' }, durationMs: 5 },
  }),
  line('n1', 'user', [{ text: '<task-notification>' }], { provenance: 'system', subtype: 'notification' }),
];

export const sample: Sample = {
  path: FILE,
  lines: session,
  prompt: 'Read x',
  counts: { toolUses: 1, replies: 1 },
};
