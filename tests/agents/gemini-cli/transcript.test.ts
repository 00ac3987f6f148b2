import { describe, expect, test } from 'vitest';
import type { Json } from '../../../log/index.ts';
import { documentFormat, lineFormat } from '../../../src/agents/gemini-cli/transcript.ts';
import { countRecords, recordsOf } from '../../helpers/agents/records.ts';
import { chance } from '../../helpers/chance.ts';
import {
  answer,
  CHATS,
  call,
  context,
  FILE,
  failing,
  firstTurn,
  head,
  model,
  printed,
  SESSION,
  SUBAGENT,
  textOf,
  time,
  user,
} from './session.ts';

type Lines = readonly { readonly [name: string]: Json }[];

const read = (lines: Lines, path = FILE) => recordsOf(lineFormat, textOf(lines), path);

describe('A transcript of Gemini CLI', () => {
  test('becomes records of a turn', () => {
    const from = { agentId: null, uuid: 'g1', messageId: 'g1', model: 'gemini-3.8-flash' };
    const usage = { input: 30, output: 35, cacheRead: 20, cacheCreation: 0 };
    const at = (second: number) => Date.parse(time(second));
    const reply = { kind: 'reply', at: at(3), id: 'g1', text: 'I read it.', ...from, usage };
    expect(read(firstTurn)).toEqual([
      { kind: 'session', at: at(0), session: SESSION, cwd: '/home/u/app' },
      { kind: 'workdir', at: at(1), cwd: '/home/u/app' },
      { kind: 'ignored', at: at(1), reason: 'injected context' },
      { kind: 'prompt', at: at(2), agentId: null, uuid: 'u1', id: 'u1', text: 'Read the file', images: 0 },
      reply,
      reply,
      {
        kind: 'call',
        at: at(3),
        ...from,
        usage,
        id: 'shell__1',
        name: 'run_shell_command',
        input: failing.args,
      },
      {
        kind: 'result',
        at: at(9),
        agentId: null,
        id: 'shell__1',
        outcome: 'failed',
        text: 'Exit code 1\ncat: missing.txt: No such file or directory',
        launchedAgentId: null,
      },
      { ...reply, at: at(5), uuid: 'g2', messageId: 'g2', id: 'g2', text: 'There is no such file.' },
    ]);
  });

  test('gives the same records as one document', () => {
    const messages = [context, ...firstTurn.filter((line) => typeof line.id === 'string')];
    const document = JSON.stringify({ ...head(), messages, summary: 'Reads a file' }, null, 2);
    expect(countRecords(recordsOf(documentFormat, document, '/x/session.json'))).toEqual({
      session: 1,
      title: 1,
      ignored: 1,
      prompt: 1,
      reply: 2,
      call: 1,
      result: 1,
    });
  });

  test('repeats nothing when the session is resumed', () => {
    const resumed = [
      ...firstTurn,
      head({ startTime: time(20) }),
      { $set: { sessionId: SESSION } },
      {
        $set: {
          messages: [
            context,
            user('u1', 20, 'Read the file'),
            {
              ...model('g1', 20, ''),
              content: [
                { text: 'I read it.' },
                { functionCall: { id: 'shell__1', name: 'run_shell_command', args: {} } },
              ],
            },
            user('compressed', 20, '<state_snapshot>all</state_snapshot>'),
          ],
        },
      },
      user('u2', 21, 'Go on'),
    ];
    const kinds = (lines: Lines) => countRecords(read(lines));
    expect(kinds(resumed)).toEqual({ ...kinds(firstTurn), session: 2, workdir: 2, ignored: 2, prompt: 2 });
  });

  test('keeps what the person took back', () => {
    expect(read([...firstTurn, { $rewindTo: 'u1' }])).toEqual(read(firstTurn));
  });

  test('says the same when it is cut anywhere', () => {
    const lines = [
      ...firstTurn,
      head({ kind: 'subagent', sessionId: SUBAGENT }),
      user('s1', 30, 'x'),
      model('s2', 31, 'y'),
    ];
    const text = textOf(lines);
    const whole = read(lines);
    const random = chance(16);
    for (let round = 0; round < 50; round++)
      expect(
        recordsOf(lineFormat, text, FILE, [random.below(text.length), random.below(text.length)]),
      ).toEqual(whole);
  });

  test('of a sub-agent belongs to the session that launched it', () => {
    const lines = [
      head({ kind: 'subagent', sessionId: SUBAGENT, directories: ['/home/u/app'] }),
      user('s1', 1, 'Count the files'),
      model('s2', 2, 'Two.', {
        toolCalls: [call('shell__2', 'run_shell_command', { command: 'ls' }, printed('2'))],
      }),
    ];
    const [session, workdir, ...rest] = read(lines, `${CHATS}/${SESSION}/${SUBAGENT}.jsonl`);
    expect(session).toEqual({
      kind: 'session',
      cwd: '/home/u/app',
      at: Date.parse(time(0)),
      session: SUBAGENT,
      agentId: SUBAGENT,
      parentSession: SESSION,
    });
    expect(workdir).toEqual({ kind: 'workdir', at: null, cwd: '/home/u/app' });
    expect(rest.map(({ kind, agentId }) => [kind, agentId])).toEqual([
      ['ignored', SUBAGENT],
      ['reply', SUBAGENT],
      ['call', SUBAGENT],
      ['result', SUBAGENT],
    ]);
  });

  test.each<[string, Json, Json | undefined, string]>([
    ['a text', 'Hello', undefined, 'prompt: Hello'],
    [
      'what was typed, not what it was expanded to',
      [{ text: 'See @a.ts\n--- Content …' }],
      [{ text: 'See @a.ts' }],
      'prompt: See @a.ts',
    ],
    [
      'the files of @path',
      [
        { text: 'See @a.ts' },
        { text: '\n--- Content from referenced files ---' },
        { text: '\nContent from @a.ts:\n' },
      ],
      undefined,
      'prompt: See @a.ts',
    ],
    [
      'context of a hook before it',
      '<hook_context>&lt;annals-context&gt;</hook_context>\n\nHello',
      undefined,
      'prompt: Hello',
    ],
    [
      'context of a hook after it',
      [{ text: 'Hello' }, { text: '<hook_context>more</hook_context>' }],
      undefined,
      'prompt: Hello',
    ],
    ['context of a hook alone', '<hook_context>all</hook_context>', undefined, 'ignored: injected context'],
    [
      'a question about such a tag',
      'What is <hook_context> for?',
      undefined,
      'prompt: What is <hook_context> for?',
    ],
    ['the context of a session', context.content!, undefined, 'ignored: injected context'],
    [
      'an editor',
      "Here is the user's editor context as a JSON object. This is …",
      undefined,
      'ignored: injected context',
    ],
    ['a continuation', 'System: Please continue.', undefined, 'ignored: not sent by a person'],
    [
      'a continuation after a tool',
      'Please continue.',
      [answer('c', 'update_topic', { output: '' })],
      'ignored: not sent by a person',
    ],
    ['a person who says so', 'Please continue.', undefined, 'prompt: Please continue.'],
    [
      'a nudge',
      '[System: You successfully executed a tool but returned an empty response. …]',
      undefined,
      'ignored: not sent by a person',
    ],
    [
      'a shell command',
      'I ran the following shell command:\n```sh\nls\n```\n\nThis produced …',
      undefined,
      'ignored: output of a command',
    ],
    ['a compression', '<state_snapshot>\n<overall_goal>', undefined, 'reply'],
    [
      'a hint',
      [
        answer('c', 'ls', { output: '' }),
        { text: 'User steering update:\n<user_input>\nUse tabs\n</user_input>\nInternal instruction: …' },
      ],
      undefined,
      'prompt: Use tabs',
    ],
    [
      '/init',
      '\nYou are an AI agent that brings the power of Gemini directly into the terminal. Your task is to analyze the current directory and generate a comprehensive GEMINI.md file to …',
      undefined,
      'prompt: /init',
    ],
    ['a picture', [{ inlineData: { mimeType: 'image/png', data: '' } }], undefined, 'prompt: '],
    ['nothing', '  ', undefined, 'ignored: no text'],
    ['results of tools', [answer('c', 'ls', { output: 'a' })], undefined, ''],
  ])('holds the words of the person: %s', (_case, content, displayContent, expected) => {
    const line = {
      ...user('u', 1, ''),
      content,
      ...(displayContent === undefined ? {} : { displayContent }),
    };
    const records = read([head(), line]).slice(1);
    const shown = records.map((record) =>
      record.kind === 'prompt'
        ? `prompt: ${record.text}`
        : record.kind === 'ignored'
          ? `ignored: ${record.reason}`
          : record.kind,
    );
    expect(shown.join()).toBe(expected);
  });

  test.each<[string, Json, string, string | null]>([
    [
      'a tool that failed',
      call('c', 'read_file', {}, '', {
        status: 'error',
        result: [answer('c', 'read_file', { error: 'File not found' })],
      }),
      'failed',
      'File not found',
    ],
    [
      'a call that was refused',
      call('c', 'x', {}, '', {
        status: 'error',
        result: [answer('c', 'x', { error: 'Tool execution denied by policy. No.' })],
      }),
      'cancelled',
      'Tool execution denied by policy. No.',
    ],
    [
      'a call that was cancelled',
      call('c', 'x', {}, '[Operation Cancelled] Reason: Esc', { status: 'cancelled' }),
      'cancelled',
      '[Operation Cancelled] Reason: Esc',
    ],
    ['a result as text', call('c', 'x', {}, '', { result: 'plain' }), 'ok', 'plain'],
    ['no result', call('c', 'x', {}, '', { result: null }), 'ok', null],
    [
      'the results of a whole message',
      call('c', 'x', {}, '', {
        result: [answer('b', 'x', { output: 'b' }), answer('c', 'x', { output: 'c' })],
      }),
      'ok',
      'c',
    ],
    [
      'an answer of an MCP server',
      call('c', 'mcp_kit_echo', {}, '<untrusted_context>\nExit Code: 1\n</untrusted_context>'),
      'ok',
      'Exit Code: 1',
    ],
  ])('holds outcomes: %s', (_case, toolCall, outcome, text) => {
    const records = read([head(), model('g', 1, '', { toolCalls: [toolCall] })]);
    expect(records.find(({ kind }) => kind === 'result')).toMatchObject({ outcome, text });
  });

  test('says who stopped the agent, and reports nothing of what the screen showed besides', () => {
    const notice = (id: string, content: string, type = 'info') => ({
      id,
      timestamp: time(9),
      type,
      content,
    });
    const lines = [
      head(),
      notice('i1', 'Update successful!'),
      notice('i2', 'Request cancelled.'),
      notice('i3', 'boom', 'error'),
    ];
    expect(read(lines).slice(1)).toEqual([
      { kind: 'stop', at: Date.parse(time(9)), agentId: null, uuid: 'i2', id: 'i2', reason: 'interrupted' },
    ]);
  });

  test('counts what it does not know', () => {
    const lines = [
      { ...user('q', 1, ''), type: 'hologram' },
      { what: 'else' },
      model('g', 2, '', { toolCalls: [{ name: 7 }] }),
    ];
    const unknown = read([head(), ...lines]).filter(({ kind }) => kind === 'unknown');
    expect(unknown).toMatchObject([{ name: 'hologram' }, { name: undefined }, { name: 'tool call' }]);
  });
});

test('An answer whose message names no model is kept', () => {
  const { model: _, ...unnamed } = model('g1', 3, 'There is no such file.');
  const records = read([head(), user('u1', 2, 'Read the file'), unnamed]);
  expect(records.filter(({ kind }) => kind === 'reply')).toMatchObject([
    { text: 'There is no such file.', model: null },
  ]);
});
