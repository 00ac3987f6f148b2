// Lines become records as a description says. The lines are made by hand in the shapes of Pi and Droid.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../log/index.ts';
import { readInParts } from '../common/read-in-parts.ts';
import { bytesOf, described, example, HERON } from './world.ts';

const SESSION = '019dc132-0000-736e-aa6f-000000000001';
const at = (second: number) => new Date(Date.UTC(2026, 3, 24, 20, 33, second)).toISOString();

const pi = (id: string, second: number, message: { readonly [name: string]: Json }) => ({
  type: 'message',
  id,
  parentId: null,
  timestamp: at(second),
  message,
});
const text = (words: string) => ({ type: 'text', text: words });
const usage = { input: 6, output: 113, cacheRead: 1, cacheWrite: 2_547, totalTokens: 2_667 };

const PI_LINES = [
  { type: 'session', version: 3, id: SESSION, timestamp: at(0), cwd: '/home/u/feeder' },
  { type: 'model_change', id: 'fc', parentId: null, timestamp: at(1), provider: 'x', modelId: 'opus' },
  pi('61', 2, { role: 'user', content: [text('widen the chute')] }),
  pi('02', 3, {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I need to look.' },
      text('I look.'),
      { type: 'toolCall', id: 'toolu_0123456789abcdef', name: 'bash', arguments: { command: 'npm test' } },
      { type: 'toolCall', id: 'toolu_0123456789abcdeg', name: 'write', arguments: { path: 'a.md' } },
    ],
    model: 'opus',
    usage,
  }),
  pi('99', 4, {
    role: 'toolResult',
    toolCallId: 'toolu_0123456789abcdef',
    content: [text('1 failed')],
    isError: true,
  }),
  pi('9a', 5, { role: 'toolResult', toolCallId: 'toolu_0123456789abcdeg', content: [], isError: false }),
  { type: 'branch_summary', id: '77', timestamp: at(6) },
  pi('95', 7, { role: 'assistant', content: [text('Done.')], model: 'opus' }),
];

describe('The description of Pi', () => {
  test('reads its lines', () => {
    const { events, state } = readInParts(example('pi').agent, bytesOf(PI_LINES));
    expect(events.map(({ type }) => type)).toEqual([
      'session.started',
      'prompt.submitted',
      'agent.replied',
      'tool.used',
      'tool.used',
      'agent.replied',
    ]);
    expect(events[1]).toMatchObject({
      agent: 'pi',
      session: SESSION,
      occurredAt: Date.parse(at(2)),
      dedupeKey: '61',
      body: { text: 'widen the chute', cwd: '/home/u/feeder' },
    });
    expect(events[2]!.body).toMatchObject({
      text: 'I look.',
      model: 'opus',
      usage: { input: 6, output: 113, cacheRead: 1, cacheCreation: 2_547 },
    });
    expect(events[3]!.body).toMatchObject({
      name: 'bash',
      input: { command: 'npm test' },
      outcome: 'failed',
      error: '1 failed',
    });
    expect(events[4]!.body).toMatchObject({ name: 'write', outcome: 'ok', result: null });
    expect(state.counts).toMatchObject({ lines: 8, known: 7, unknownLines: { branch_summary: 1 } });
  });
});

const DROID_LINES = [
  { type: 'session_start', id: SESSION, title: 'x', version: 2, cwd: '/home/u/feeder' },
  pi('11111111-0000-4000-8000-000000000001', 1, {
    role: 'user',
    content: [
      text('<system-reminder>\n% pwd\n/home/u/feeder\n</system-reminder>'),
      text('<system-reminder>IMPORTANT: use lists.</system-reminder>'),
      text('widen the chute'),
    ],
  }),
  pi('11111111-0000-4000-8000-000000000002', 2, {
    role: 'assistant',
    content: [text('I look.'), { type: 'tool_use', id: 'toolu_0123456789abcdef', name: 'Read', input: {} }],
  }),
  pi('11111111-0000-4000-8000-000000000003', 3, {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_0123456789abcdef', content: '12 cm' }],
  }),
  pi('11111111-0000-4000-8000-000000000004', 4, {
    role: 'user',
    content: [text('<system-reminder>x</system-reminder>')],
  }),
  pi('11111111-0000-4000-8000-000000000005', 5, {
    role: 'user',
    content: [text('Token limit reached.')],
    visibility: 'user_only',
  }),
];

describe('The description of Droid', () => {
  test('leaves out what the program wrote in the place of a person', () => {
    const { events, state } = readInParts(example('droid').agent, bytesOf(DROID_LINES));
    const prompts = events.filter(({ type }) => type === 'prompt.submitted');
    expect(prompts.map(({ body }) => body)).toMatchObject([{ text: 'widen the chute', private: false }]);
    expect(events.find(({ type }) => type === 'tool.used')?.body).toMatchObject({ result: '12 cm' });
    expect(state.counts.refused).toEqual({ 'injected context': 1, 'notice of the program': 1 });
  });

  test('keeps a private prompt private, and knows the context of Annals as injected', () => {
    const lines = [
      DROID_LINES[0]!,
      pi('a', 1, { role: 'user', content: [text('<annals-context>the chute</annals-context>')] }),
      pi('b', 2, { role: 'user', content: [text('<private>my key</private>')] }),
      pi('c', 3, { role: 'assistant', content: [text('I see your key.')] }),
    ];
    const { events } = readInParts(example('droid').agent, bytesOf(lines));
    expect(events.map(({ type }) => type)).toEqual(['session.started', 'prompt.submitted']);
    expect(events[1]!.body).toMatchObject({ text: null, private: true });
  });
});

describe('A description', () => {
  const rules = (...list: object[]) =>
    described({ ...HERON, every: { session: 's', at: 'at' }, rules: list }).agent;
  const PROMPT = { record: 'prompt', when: { type: 'user' }, text: 'text' };

  test('may take the session from every line', () => {
    const { events } = readInParts(
      rules(PROMPT),
      bytesOf([
        { s: 'one', type: 'user', text: 'a', at: 1_777_062_820 },
        { s: 'one', type: 'user', text: 'b', at: 1_777_062_821_000 },
        { s: 'two', type: 'user', text: 'c' },
      ]),
    );
    expect(events.map(({ type, session, occurredAt }) => [type, session, occurredAt])).toEqual([
      ['session.started', 'one', 1_777_062_820_000],
      ['prompt.submitted', 'one', 1_777_062_820_000],
      ['prompt.submitted', 'one', 1_777_062_821_000],
      ['session.started', 'two', 1_777_062_821_000],
      ['prompt.submitted', 'two', 1_777_062_821_000],
    ]);
  });

  test('without a session takes the name of the file', () => {
    const { events } = readInParts(rules(PROMPT), bytesOf([{ type: 'user', text: 'a' }]));
    expect(events).toMatchObject([{ type: 'prompt.submitted', session: 'file' }]);
  });

  test('without ids names records after their place, and keeps several of one line apart', () => {
    const each = { record: 'reply', when: { '.type': 'text' }, each: 'parts[]', id: 'id', text: '.text' };
    const line = {
      type: 'user',
      text: 'a',
      parts: [
        { type: 'text', text: 'b' },
        { type: 'text', text: 'c' },
      ],
    };
    const keys = (lines: readonly object[]) =>
      readInParts(rules(PROMPT, each), bytesOf(lines)).events.map(({ dedupeKey }) => dedupeKey);
    expect(keys([line])).toEqual(['@0', '@0.0', '@0.1']);
    expect(keys([{ ...line, id: 'x' }])).toEqual(['@0', 'x', 'x:2']);
  });

  test('pairs a call and a result without ids by their place in the line', () => {
    const list = [
      { record: 'call', when: {}, each: 'tools[]', name: '.name', input: '.input' },
      { record: 'result', when: {}, each: 'tools[]', text: '.output', cancelled: { '.denied': true } },
    ];
    const tools = [
      { name: 'sh', input: '{"command":"ls"}', output: 'a' },
      { name: 'sh', input: 'plain', denied: true },
    ];
    const { events } = readInParts(rules(...list), bytesOf([{ tools }]));
    expect(events.map(({ body }) => body)).toMatchObject([
      { name: 'sh', input: { command: 'ls' }, outcome: 'ok', result: 'a' },
      { input: 'plain', outcome: 'cancelled' },
    ]);
  });

  test('reads the entries of a document, and counts those that no rule is for', () => {
    const { agent } = described({
      ...HERON,
      form: 'document',
      entries: 'history[]',
      every: { session: '$.id' },
      rules: [PROMPT],
    });
    const bytes = Buffer.from(
      JSON.stringify({
        id: 'one',
        history: [{ type: 'user', text: 'a' }, { type: 'x' }, { type: 'user', text: 'b' }],
      }),
    );
    const { events, state } = readInParts(agent, bytes);
    expect(events.map(({ session, dedupeKey }) => [session, dedupeKey])).toEqual([
      ['one', 'start:one'],
      ['one', '@0.0'],
      ['one', '@0.2'],
    ]);
    expect(state.counts).toMatchObject({ known: 1, refused: { 'entry that no rule reads': 1 } });
  });

  test('counts a line that lacks what its rule needs', () => {
    const call = { record: 'call', when: { type: 'call' }, name: 'name' };
    const { events, state } = readInParts(
      rules(call),
      bytesOf([{ type: 'call' }, { type: 'call', name: 5 }]),
    );
    expect(events).toEqual([]);
    expect(state.counts).toMatchObject({ known: 1, unknownLines: { call: 1 } });
  });

  test('may name several values, and a missing field, in a condition', () => {
    const agent = rules({ record: 'prompt', when: { type: ['user', 'human'], hidden: null }, text: 'text' });
    const lines = [
      { type: 'user', text: 'a' },
      { type: 'human', text: 'b', hidden: null },
      { type: 'user', text: 'c', hidden: false },
      { type: 'robot', text: 'd' },
    ];
    const { events } = readInParts(agent, bytesOf(lines));
    expect(events.map(({ body }) => ('text' in body ? body.text : null))).toEqual(['a', 'b']);
  });

  test('may say that a field is there, and has another value', () => {
    const agent = rules(
      { record: 'call', when: { tool: { not: null } }, id: 'id', name: 'tool' },
      { record: 'result', when: { 'codes[]': { not: [7, 8] } }, id: 'id', failed: { code: { not: 0 } } },
    );
    const lines = [
      { tool: 'a', id: '1' },
      { tool: null, id: '2' },
      { id: '1', codes: [1], code: 3 },
      { tool: 'b', id: '3', codes: [] },
      { tool: 'c', id: '4', codes: [1, 7] },
      { tool: 'd', id: '5', codes: [1, 2], code: 0 },
      { tool: 'e', id: '6', codes: [1, 2] },
    ];
    const { events } = readInParts(agent, bytesOf(lines));
    expect(events.map(({ body }) => ('outcome' in body ? [body.name, body.outcome] : null))).toEqual([
      ['a', 'failed'],
      ['d', 'ok'],
      ['e', 'ok'],
    ]);
  });

  test('counts cached tokens once where the input holds them', () => {
    const reply = {
      record: 'reply',
      when: {},
      text: 'text',
      usage: { input: 'in', output: 'out', cacheRead: 'cached', inputHoldsCached: true },
    };
    const { events } = readInParts(rules(reply), bytesOf([{ text: 'a', in: 100, out: 5, cached: 80 }]));
    expect(events[0]!.body).toMatchObject({
      usage: { input: 20, output: 5, cacheRead: 80, cacheCreation: 0 },
    });
  });

  test('that changes reads the files again', () => {
    const version = (description: object) => described(description).format.version;
    expect(version(HERON)).toBe(version({ ...HERON }));
    expect(version(HERON)).not.toBe(version({ ...HERON, injected: ['note'] }));
  });

  test('reads the files of its folders whose names fit', () => {
    const { isTranscript } = described({ ...HERON, files: '*/session-*.jsonl' }).agent.transcripts!;
    expect(isTranscript('/home/u/.heron/app/session-1.jsonl')).toBe(true);
    expect(isTranscript('/home/u/.heron/app/other.jsonl')).toBe(false);
    expect(isTranscript('/home/u/.heron/session-1.jsonl')).toBe(false);
    expect(isTranscript('/home/u/.herons/app/session-1.jsonl')).toBe(false);
  });
});
