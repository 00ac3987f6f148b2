import { describe, expect, it, test } from 'vitest';
import { ofType, readWhole, Script } from '../../helpers/transcripts.ts';

describe('What the agent said', () => {
  it('records each block of a message with its index and the usage on its line', () => {
    const script = new Script();
    script.prompt('go');
    const usage = (output: number) => ({ input_tokens: 10, output_tokens: output });
    script.assistant(
      [{ type: 'thinking', thinking: 'hidden words', signature: 's' }],
      {},
      { id: 'msg_a', usage: usage(1) },
    );
    script.reply('I look.', {}, { id: 'msg_a', usage: usage(1) });
    script.use('toolu_1', 'Bash', {}, {}, { id: 'msg_a', usage: usage(40) });
    script.result('toolu_1', 'ok');
    script.reply('Still the same message.', {}, { id: 'msg_a', usage: usage(55), stop_reason: 'end_turn' });
    const { newEvents } = readWhole(script.bytes());
    expect(
      ofType(newEvents, 'agent.replied').map(({ body }) => [
        body.block,
        body.text,
        body.usage?.output,
        body.stopReason,
      ]),
    ).toEqual([
      [0, null, 1, null],
      [1, 'I look.', 1, null],
      [3, 'Still the same message.', 55, 'end_turn'],
    ]);
    expect(ofType(newEvents, 'tool.used')[0]?.body.usage?.output).toBe(40);
    expect(JSON.stringify(newEvents)).not.toContain('hidden words');
  });

  it('numbers further blocks of one line in their dedupe keys', () => {
    const script = new Script();
    const uuid = script.assistant([
      { type: 'text', text: 'one' },
      { type: 'tool_use', id: 't', name: 'Bash', input: {} },
      { type: 'text', text: 'two' },
    ]);
    const replies = ofType(readWhole(script.bytes()).newEvents, 'agent.replied');
    expect(replies.map(({ dedupeKey, body }) => [dedupeKey, body.block])).toEqual([
      [uuid, 0],
      [`${uuid}:2`, 2],
    ]);
  });

  it('never records a program’s error as an answer', () => {
    const script = new Script();
    script.prompt('go');
    script.reply(
      'API Error: Rate limit reached',
      { isApiErrorMessage: true, error: 'rate_limit' },
      { model: '<synthetic>' },
    );
    script.reply('API Error: 500', { isApiErrorMessage: true }, { model: '<synthetic>' });
    script.reply('No response requested.', { isApiErrorMessage: false }, { model: '<synthetic>' });
    const { newEvents } = readWhole(script.bytes());
    expect(ofType(newEvents, 'agent.replied')).toEqual([]);
    expect(ofType(newEvents, 'agent.stopped').map(({ body }) => [body.reason, body.error])).toEqual([
      ['error', 'rate_limit'],
      ['error', 'API Error: 500'],
    ]);
  });

  it('records an interruption as a stop of the turn', () => {
    const script = new Script();
    const prompt = script.prompt('go');
    const uuid = script.message(
      'user',
      { content: [{ type: 'text', text: '[Request interrupted by user for tool use]' }] },
      {},
    );
    expect(ofType(readWhole(script.bytes()).newEvents, 'agent.stopped')).toMatchObject([
      { dedupeKey: uuid, body: { reason: 'interrupted', error: null, promptUuid: prompt } },
    ]);
  });

  it('marks inline side-chains and files of sub-agents, and compaction runs', () => {
    const inline = new Script({ version: '1.0.98' });
    inline.prompt('go');
    inline.message(
      'user',
      { content: 'the parent agent’s instruction' },
      { isSidechain: true, parentUuid: null },
    );
    inline.reply('from the side', { isSidechain: true });
    const emitted = readWhole(inline.bytes()).newEvents;
    expect(ofType(emitted, 'prompt.submitted')).toHaveLength(1);
    expect(
      ofType(emitted, 'agent.replied').map(({ body }) => [body.sidechain, body.agentId, body.promptUuid]),
    ).toEqual([[true, null, null]]);

    const file = new Script();
    file.message('user', { content: 'instruction' }, { isSidechain: true, agentId: 'a1' });
    file.reply('from the file', { isSidechain: true, agentId: 'a1' });
    const sub = readWhole(file.bytes(), { name: 'agent-a1.jsonl' }).newEvents;
    expect(sub.map(({ type }) => type)).toEqual(['agent.replied']);
    expect(ofType(sub, 'agent.replied')[0]?.body).toMatchObject({ agentId: 'a1', compaction: false });

    const compaction = new Script();
    compaction.reply('a summary', { isSidechain: true });
    const name = 'agent-acompact-70d8e7.jsonl';
    expect(ofType(readWhole(compaction.bytes(), { name }).newEvents, 'agent.replied')[0]?.body).toMatchObject(
      {
        agentId: 'acompact-70d8e7',
        compaction: true,
      },
    );
  });
});

test('the summary of a compaction is the agent’s account, and no prompt', () => {
  const script = new Script();
  script.prompt('Widen the chute');
  script.reply('Done.');
  script.system('compact_boundary', { compactMetadata: { trigger: 'auto', preTokens: 150_000 } });
  const extra = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
  const uuid = script.prompt('This session is being continued. The chute is 9 cm wide.', extra);
  const { newEvents } = readWhole(script.bytes());
  expect(ofType(newEvents, 'prompt.submitted')).toHaveLength(1);
  const [, account] = ofType(newEvents, 'agent.replied');
  expect(account).toMatchObject({
    dedupeKey: uuid,
    body: {
      compaction: true,

      text: 'This session is being continued. The chute is 9 cm wide.',
    },
  });
});

describe('Sessions and titles', () => {
  it('records the first line of each session in a file, a title when it changes, and which session continues it', () => {
    const script = new Script();
    script.meta('mode', { mode: 'normal' });
    const first = script.prompt('go');
    for (const title of ['One', 'One', 'Two']) script.meta('custom-title', { customTitle: title });
    script.meta('ai-title', { aiTitle: 'Two' });
    script.meta('custom-title', { customTitle: 'Two' });
    script.reply('going');
    const other = script.prompt('other', { sessionId: 'other-session', parentUuid: null });
    script.meta('continued-in', { continuedInSessionId: 'third', timestamp: '2026-01-02T00:00:00.000Z' });
    const { newEvents } = readWhole(script.bytes());
    expect(
      ofType(newEvents, 'session.started').map(({ dedupeKey, session }) => [dedupeKey, session]),
    ).toEqual([
      [`start:${first}`, script.session],
      [`start:${other}`, 'other-session'],
    ]);
    const titles = ofType(newEvents, 'session.titled');
    expect(titles.map(({ body }) => [body.source, body.title])).toEqual([
      ['custom', 'One'],
      ['custom', 'Two'],
      ['ai', 'Two'],
    ]);
    expect(titles.every(({ dedupeKey, body }) => dedupeKey === `${body.source}:${body.offset}`)).toBe(true);
    expect(ofType(newEvents, 'session.continued')).toMatchObject([
      {
        session: script.session,
        dedupeKey: 'third',
        occurredAt: Date.UTC(2026, 0, 2),
        body: { into: 'third' },
      },
    ]);
  });

  it('records a summary only for the session with the line it names, before or after that line', () => {
    const script = new Script();
    script.raw({
      type: 'summary',
      summary: 'of the line to come',
      leafUuid: '00000002-0000-4000-8000-000000000000',
    });
    script.raw({
      type: 'summary',
      summary: 'of another session',
      leafUuid: 'eeeeeeee-0000-4000-8000-000000000000',
    });
    const seen = script.prompt('go');
    script.reply('done');
    script.raw({ type: 'summary', summary: 'of a line before', leafUuid: seen });
    const titles = ofType(readWhole(script.bytes()).newEvents, 'session.titled');
    expect(titles.map(({ session, body }) => [session, body.source, body.title])).toEqual([
      [script.session, 'summary', 'of the line to come'],
      [script.session, 'summary', 'of a line before'],
    ]);
  });
});
