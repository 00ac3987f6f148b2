// Transcripts of Copilot CLI. The lines are made by hand in the shape that versions 1.0.34 to 1.0.102 write.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import type { TranscriptRecord } from '../../../src/agents/common/records.ts';
import { copilotFormat } from '../../../src/agents/copilot/transcript.ts';
import { sharedData } from '../../helpers/shared-data.ts';

const LOCATION = { offset: 0, path: '/home/u/.copilot/session-state/s1/events.jsonl' };

function recordsOf(lines: readonly JsonObject[]): TranscriptRecord[] {
  let memory = copilotFormat.memory;
  return lines.flatMap((line) => {
    const read = copilotFormat.records(line, memory, LOCATION);
    memory = read.memory as typeof memory;
    return [...read.records];
  });
}

let lines = 0;

function line(type: string, data: JsonObject, more: JsonObject = {}): JsonObject {
  lines += 1;
  return { type, data, id: `l${lines}`, timestamp: '2026-11-22T18:15:13.000Z', parentId: null, ...more };
}

function resultOf(data: JsonObject) {
  const [record] = recordsOf([line('tool.execution_complete', { toolCallId: 'c1', ...data })]);
  return record;
}

test('a session, its prompt, a call with its result, a reply with usage, and the end', () => {
  const records = recordsOf([
    line('session.start', {
      sessionId: 's1',
      producer: 'copilot-agent',
      copilotVersion: '1.0.102',
      selectedModel: 'm',
      context: { cwd: '/home/u/app', branch: 'main' },
    }),
    line('hook.start', { hookType: 'userPromptSubmitted', input: { prompt: 'Write it' } }),
    line('system.message', { content: 'You are' }),
    line('user.message', { content: 'Write it', transformedContent: '<x/>Write it', interactionId: 'i1' }),
    line('session.usage_record', {
      usage: {
        apiCallId: 'a1',
        inputTokens: 740,
        outputTokens: 30,
        cacheReadTokens: 700,
        cacheWriteTokens: 30,
      },
    }),
    line('assistant.message', {
      content: 'I do.',
      apiCallId: 'a1',
      interactionId: 'i1',
      toolRequests: [{ toolCallId: 'c1', name: 'bash' }],
    }),
    line('tool.execution_start', { toolCallId: 'c1', toolName: 'bash', arguments: { command: 'ls' } }),
    line('session.shutdown', { shutdownType: 'routine' }),
    line('session.resume', { context: { cwd: '/home/u/app' } }),
  ]);
  expect(records).toMatchObject([
    {
      kind: 'session',
      session: 's1',
      cwd: '/home/u/app',
      branch: 'main',
      source: null,
      agentVersion: '1.0.102',
    },
    { kind: 'prompt', text: 'Write it', turn: 'i1' },
    {
      kind: 'reply',
      text: null,
      messageId: 'a1',
      usage: { input: 10, output: 30, cacheRead: 700, cacheCreation: 30 },
    },
    { kind: 'reply', text: 'I do.', messageId: 'a1', usage: null, goesOn: true },
    { kind: 'call', id: 'c1', name: 'bash', input: { command: 'ls' } },
    { kind: 'end', reason: 'routine' },
    { kind: 'session', session: 's1', source: 'resume' },
  ]);
});

test.each<[string, JsonObject, string]>([
  ['an exit code', { success: true, shellExecution: { exitCode: 1 }, result: { content: 'x' } }, 'failed'],
  ['exit code 0', { success: true, shellExecution: { exitCode: 0 }, result: { content: 'x' } }, 'ok'],
  [
    'an exit code in the text of a shell tool',
    {
      success: true,
      toolTelemetry: { properties: { executionMode: 'sync', detached: 'false' } },
      result: { content: 'x\n<exited with exit code 2>' },
    },
    'failed',
  ],
  ['such a text of another tool', { success: true, result: { content: '<exited with exit code 2>' } }, 'ok'],
  ['a failure', { success: false, error: { code: 'failure', message: 'no file' } }, 'failed'],
  ['a refusal', { success: false, error: { code: 'denied', message: 'rules' } }, 'cancelled'],
])('the outcome of a result with %s', (_name, data, outcome) => {
  expect(resultOf(data)).toMatchObject({ kind: 'result', outcome });
});

test.each<[JsonObject, JsonObject, string]>([
  [{ content: 'Count' }, { agentId: 'a1' }, 'prompt of a sub-agent'],
  [{ content: 'Count', source: 'skill-pdf' }, {}, 'not typed by a person'],
  [{ content: 'Go on', isAutopilotContinuation: true }, {}, 'continued by autopilot'],
  [{ content: '<system_notification>done</system_notification>' }, {}, 'notification'],
  [{ content: ' ' }, {}, 'prompt without text'],
])('%j is not a prompt', (data, more, reason) => {
  expect(recordsOf([line('user.message', data, more)])).toMatchObject([{ kind: 'ignored', reason }]);
});

test('a line of an unknown type is counted, and hostile lines throw nothing', () => {
  expect(recordsOf([line('session.brand_new', {})])).toMatchObject([{ kind: 'unknown' }]);
  const values = [null, 1, '', 'x', [], {}, [null], { exitCode: 'x' }, true];
  const types = [
    'session.start',
    'user.message',
    'assistant.message',
    'tool.execution_complete',
    '__proto__',
  ];
  for (let seed = 0; seed < 2_000; seed++) {
    const pick = (step: number) => values[(seed * 7 + step * (seed % 11)) % values.length]!;
    const data = { content: pick(1), result: pick(2), toolCallId: 'c', usage: pick(3), context: pick(4) };
    recordsOf([
      {
        type: types[seed % types.length]!,
        data: seed % 3 === 0 ? pick(5) : data,
        id: pick(6),
        timestamp: pick(7),
      },
    ]);
  }
});

describe.skipIf(sharedData === null)('real files (skipped when they are absent)', () => {
  const folder = join(sharedData ?? '', 'data/transcripts/copilot-cli');
  test.each([
    ['EntityProcess__agentv/10fb4666-56f0-4352-90fc-715caf95b418.events.jsonl', 1, 68],
    ['EntityProcess__agentv/7f268ba1-7632-494f-9f93-b358f8496898.events.jsonl', 1, 0],
    // A simple rule counts 2: the other message is empty, because autopilot went on by itself.
    ['Mai0313__VibeCodingTracker/copilot.jsonl', 1, 13],
    ['computermode__test-repo/b4257b63-a7e8-4e3f-9bf0-019c98db1744.jsonl', 1, 3],
  ])('%s has %d prompts and %d tool uses, and no unknown line', (path, prompts, uses) => {
    const records = recordsOf(
      readFileSync(join(folder, path), 'utf8')
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => JSON.parse(text) as JsonObject),
    );
    const count = (kind: string) => records.filter((record) => record.kind === kind).length;
    expect([count('prompt'), count('call'), count('result'), count('unknown')]).toEqual([
      prompts,
      uses,
      uses,
      0,
    ]);
  });
});
