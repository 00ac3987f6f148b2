import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import type { TranscriptRecord } from '../../../src/agents/common/records.ts';
import { opencode } from '../../../src/agents/opencode/index.ts';
import { exportFormat } from '../../../src/agents/opencode/transcript.ts';
import { answer, at, exported, failing, firstTurn, PARENT, SESSION, text, tool, user } from './session.ts';

const read = (document: JsonObject): readonly TranscriptRecord[] =>
  exportFormat.records(document, {}, { offset: 0, path: '/x' }).records;
const of = (messages: readonly JsonObject[], kind: string, info: JsonObject = {}) =>
  read(exported(messages, info)).filter((record) => record.kind === kind);

describe('An export of OpenCode', () => {
  test('is recognised by its beginning', () => {
    const { recognises, isTranscript } = opencode.transcripts!;
    const start = (words: string) => recognises({ path: '/x.json', text: words, lines: [] });
    expect(start(JSON.stringify(exported([]), null, 2))).toBe(true);
    expect(start(JSON.stringify(exported([])))).toBe(true);
    expect(start('{"info":{"id":"7"}}')).toBe(false);
    expect(['/a/ses_1.json', '/a/other.json', '/a/ses_1.jsonl'].map(isTranscript)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('becomes records of a turn', () => {
    const fields = { agentId: null, turn: 'msg_1', cwd: '/home/u/app', model: 'scripted' };
    const usage = { input: 50, output: 30, cacheRead: 15, cacheCreation: 5 };
    expect(read(exported(firstTurn))).toEqual([
      {
        kind: 'session',
        at: at(0),
        session: SESSION,
        agentId: null,
        parentSession: null,
        source: 'startup',
        cwd: '/home/u/app',
        agentVersion: '1.18.33',
      },
      {
        kind: 'prompt',
        at: at(1),
        agentId: null,
        id: 'msg_1',
        turn: 'msg_1',
        text: 'Read the file',
        images: 0,
      },
      {
        kind: 'reply',
        at: at(2),
        ...fields,
        messageId: `${at(2)}-${at(4)}-20`,
        id: 'msg_2',
        text: 'I read it.',
        usage,
        compaction: false,
      },
      {
        kind: 'call',
        at: at(3),
        ...fields,
        messageId: `${at(2)}-${at(4)}-20`,
        id: `call_1@${at(3)}`,
        name: 'bash',
        input: { command: 'cat missing.txt', description: 'run it' },
      },
      {
        kind: 'result',
        at: at(4),
        ...{ agentId: null, turn: 'msg_1', cwd: '/home/u/app' },
        id: `call_1@${at(3)}`,
        outcome: 'failed',
        text: 'Exit code 1\ncat: missing.txt: No such file or directory\n',
        durationMs: 1_000,
        launchedAgentId: null,
      },
      {
        kind: 'reply',
        at: at(5),
        ...fields,
        messageId: `${at(5)}-${at(7)}-20`,
        id: 'msg_3',
        text: 'There is no such file.',
        usage,
        compaction: false,
      },
      { kind: 'title', at: null, source: 'ai', title: 'A short title' },
    ]);
  });

  test.each<[string, readonly JsonObject[], string]>([
    ['as `run` quotes it', [text('"say \\"hi\\" to all"')], 'say "hi" to all'],
    ['quoted by a person', [text('"a" and "b c"')], '"a" and "b c"'],
    ['of one word', [text('"word"')], '"word"'],
    ['after a private tag', [text('"<private>a b</private>"')], '<private>a b</private>'],
    ['in several parts', [text('one'), text('two')], 'one\ntwo'],
    ['of a command', [{ type: 'subtask', command: 'review', prompt: 'You are a reviewer' }], '/review'],
    ['of an unnamed sub-agent', [{ type: 'subtask', prompt: 'Count' }], 'Count'],
    [
      'with a file',
      [
        text('Read @a.ts'),
        text('Called the Read tool', { synthetic: true }),
        { type: 'file', mime: 'text/plain' },
      ],
      'Read @a.ts',
    ],
  ])('has the prompt of a person %s', (_, parts, words) => {
    expect(of([user('msg_1', 1, parts)], 'prompt')).toMatchObject([{ text: words, images: 0 }]);
  });

  test('counts pictures', () => {
    const picture = { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' };
    expect(of([user('msg_1', 1, [picture])], 'prompt')).toMatchObject([{ text: '', images: 1 }]);
  });

  test('keeps the turn when the program goes on in the place of the person', () => {
    const messages = [
      ...firstTurn,
      user('msg_4', 10, [{ type: 'compaction', auto: true }]),
      answer('msg_5', 11, 'msg_4', [text('## Goal')], { summary: true }),
      user('msg_6', 12, [text('Continue if you have next steps', { synthetic: true })]),
      answer('msg_7', 13, 'msg_6', [text('Done.')]),
    ];
    expect(of(messages, 'ignored')).toMatchObject([
      { reason: 'not sent by a person' },
      { reason: 'not sent by a person' },
    ]);
    expect(of(messages, 'reply').slice(2)).toMatchObject([
      { id: 'msg_5', turn: 'msg_1', compaction: true },
      { id: 'msg_7', turn: 'msg_1', compaction: false },
    ]);
  });

  test('leaves an answer to the prompt that it answers', () => {
    const messages = [
      user('msg_1', 1, [text('one')]),
      user('msg_2', 2, [text('two')]),
      answer('msg_3', 3, 'msg_1', [text('First.')]),
      answer('msg_4', 4, 'msg_2', [text('Second.')]),
    ];
    expect(of(messages, 'reply')).toMatchObject([{ turn: 'msg_1' }, { turn: 'msg_2' }]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['a success', { output: 'ok', metadata: { exit: 0 } }, { outcome: 'ok', text: 'ok' }],
    [
      'a time limit',
      {
        output:
          'a\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout 120000 ms.\n</shell_metadata>',
        metadata: { exit: null },
      },
      { outcome: 'failed' },
    ],
    [
      'a command that the person stopped',
      { output: '\n\n<metadata>\nUser aborted the command\n</metadata>', metadata: {} },
      { outcome: 'cancelled' },
    ],
    [
      'an error',
      { status: 'error', error: 'File not found: /a' },
      { outcome: 'failed', text: 'File not found: /a' },
    ],
    [
      'a refusal',
      { status: 'error', error: 'The user rejected permission to use this specific tool call.' },
      { outcome: 'cancelled' },
    ],
    [
      'an interruption',
      { status: 'error', error: 'Tool execution aborted', metadata: { interrupted: true } },
      { outcome: 'cancelled' },
    ],
    [
      'a sub-agent',
      { output: '<task_result>', metadata: { sessionId: 'ses_9' } },
      { outcome: 'ok', launchedAgentId: 'ses_9' },
    ],
  ])('knows the outcome of %s', (_, state, result) => {
    const messages = [answer('msg_2', 2, 'msg_1', [tool('call_1', 'bash', 3, { input: {}, ...state })])];
    expect(of(messages, 'result')).toMatchObject([result]);
  });

  test('gives calls without a result while they run, and none before', () => {
    const running = tool('call_1', 'bash', 3, { status: 'running', input: { command: 'a' } });
    const pending = tool('call_2', 'bash', 3, { status: 'pending', input: {}, time: null });
    const records = read(exported([answer('msg_2', 2, 'msg_1', [running, pending])]));
    expect(records.map(({ kind }) => kind)).toEqual(['session', 'reply', 'call', 'title']);
  });

  test('leaves an answer that may still grow to a later export', () => {
    const open = answer('msg_2', 2, 'msg_1', [text('I re'), failing], { time: { created: at(2) } });
    expect(of([open], 'reply')).toEqual([]);
    expect(of([open], 'call')).toHaveLength(1);
    expect(of([open, user('msg_3', 9, [text('Go on')])], 'reply')).toMatchObject([{ text: 'I re' }]);
  });

  test('tells calls apart whose server repeats their ids', () => {
    const messages = [
      answer('msg_2', 2, 'msg_1', [tool('call_0', 'read', 2, {})]),
      answer('msg_3', 5, 'msg_1', [tool('call_0', 'read', 5, {})]),
    ];
    expect(of(messages, 'call')).toMatchObject([{ id: `call_0@${at(2)}` }, { id: `call_0@${at(5)}` }]);
  });

  test('knows what a fork has copied', () => {
    const copied = firstTurn.map(({ info, parts }, index) => ({
      info: { ...(info as JsonObject), id: `msg_copy${index}`, sessionID: 'ses_2' },
      parts: parts!,
    }));
    const fork = read(exported(copied, { id: 'ses_2', time: { created: at(60) } }));
    const names = (records: readonly TranscriptRecord[]) =>
      records.flatMap((one): readonly unknown[] =>
        one.kind === 'reply'
          ? [one.messageId]
          : one.kind === 'call'
            ? [one.id]
            : one.kind === 'prompt'
              ? [one.at]
              : [],
      );
    expect(fork[0]).toMatchObject({ session: 'ses_2', source: 'fork' });
    expect(names(fork)).toEqual(names(read(exported(firstTurn))));
  });

  test('of a sub-agent belongs to the session that launched it', () => {
    const records = read(exported(firstTurn, { parentID: PARENT, title: 'Count (@general subagent)' }));
    expect(records[0]).toMatchObject({ session: SESSION, agentId: SESSION, parentSession: PARENT });
    expect(records[1]).toMatchObject({ kind: 'ignored', reason: 'prompt of a sub-agent' });
    expect(records.slice(2).every(({ agentId }) => agentId === SESSION)).toBe(true);
    expect(records.filter(({ kind }) => kind === 'title')).toEqual([]);
  });

  test('stays apart, with its own title, when the name of the parent was taken out', () => {
    const title = 'Count (@general subagent)';
    const records = read(exported(firstTurn, { parentID: 'REDACTED', title }));
    expect(records[0]).toMatchObject({ session: SESSION, agentId: SESSION, parentSession: null });
    expect(records.at(-1)).toMatchObject({ kind: 'title', title });
  });

  test('keeps prompts apart whose ids were taken out', () => {
    const messages = [user('REDACTED', 1, [text('one')]), user('REDACTED', 2, [text('two')])];
    expect(of(messages, 'prompt')).toMatchObject([{ id: 'message 0' }, { id: 'message 1' }]);
  });

  test('says how a turn ended without an answer', () => {
    const failed = (error: JsonObject) => of([answer('msg_2', 2, 'msg_1', [], { error })], 'stop');
    expect(failed({ name: 'APIError', data: { message: 'Overloaded', responseBody: '…' } })).toMatchObject([
      { id: 'msg_2', at: at(4), reason: 'error', error: 'APIError: Overloaded' },
    ]);
    expect(failed({ name: 'MessageAbortedError', data: {} })).toMatchObject([{ reason: 'interrupted' }]);
  });

  test('has no title until the model has made one', () => {
    expect(of([], 'title', { title: 'New session - 2026-11-22T18:27:14.960Z' })).toEqual([]);
  });

  test('counts the tokens of reasoning once', () => {
    const tokens = { total: 6_095, input: 5_966, output: 129, reasoning: 89, cache: { read: 0, write: 0 } };
    expect(of([answer('msg_2', 2, 'msg_1', [], { tokens })], 'reply')).toMatchObject([
      { text: null, usage: { input: 5_966, output: 129 } },
    ]);
  });

  test('names what is not known', () => {
    const messages = [
      user('msg_1', 1, [text('Hello'), { type: 'hologram' }]),
      { info: { role: 'judge' }, parts: [] },
      answer('msg_2', 2, 'msg_1', [{ type: 'tool' }]),
    ];
    expect(of(messages, 'unknown')).toMatchObject([
      { name: 'hologram' },
      { name: 'judge' },
      { name: 'tool call' },
    ]);
    expect(read({ info: {} })).toEqual([{ kind: 'unknown', at: null, name: 'document' }]);
  });
});
