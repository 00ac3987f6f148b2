import { describe, expect, it } from 'vitest';
import { ofType, type RawLine, readInSlices, readWhole, Script } from '../../helpers/transcripts.ts';

const PRIVATE = '<private>about heron</private>';

function newEvents(script: Script) {
  return readWhole(script.bytes()).newEvents;
}

describe('A private turn', () => {
  it('leaves only the fact that it took place', () => {
    const script = new Script();
    script.prompt('public');
    script.reply('public answer');
    const hidden = script.prompt(PRIVATE, { promptId: 'p-2' });
    script.assistant([{ type: 'thinking', thinking: 'heron' }]);
    script.reply('heron answer');
    script.use('toolu_1', 'Bash', { command: 'heron' });
    script.result('toolu_1', 'heron', { promptId: 'p-2' });
    script.use('toolu_open', 'Bash', { command: 'heron' });
    script.meta('ai-title', { aiTitle: 'heron title' });
    script.message('user', { content: [{ type: 'text', text: '[Request interrupted by user]' }] }, {});
    script.reply('heron error', { isApiErrorMessage: true }, { model: '<synthetic>' });
    script.prompt('public again');
    script.reply('public end');
    const events = newEvents(script);
    expect(JSON.stringify(events)).not.toContain('heron');
    expect(events.map(({ type }) => type)).toEqual([
      'session.started',
      'prompt.submitted',
      'agent.replied',
      'prompt.submitted',
      'prompt.submitted',
      'agent.replied',
    ]);
    expect(events[3]).toMatchObject({
      dedupeKey: hidden,
      body: { private: true, text: null, promptId: 'p-2' },
    });
    expect(readWhole(script.bytes()).state.open.filter((side) => !side.private)).toEqual([]);
  });

  it('stays private however late its lines come: by chain, by prompt id, in a side-chain, by its sub-agent', () => {
    const script = new Script();
    const hidden = script.prompt(PRIVATE, { promptId: 'p-1' });
    script.use('toolu_1', 'Agent', { prompt: 'heron' });
    script.result('toolu_1', 'started', {
      toolUseResult: { isAsync: true, status: 'async_launched', agentId: 'a9' },
    });
    const side = script.message(
      'user',
      { content: 'heron instruction' },
      { isSidechain: true, parentUuid: null },
    );
    script.prompt('public', { promptId: 'p-2' });
    script.reply('heron, late, by chain', { parentUuid: hidden });
    script.reply('heron, late, by side-chain', { isSidechain: true, parentUuid: side });
    script.reply('heron, late, by sub-agent', { isSidechain: true, agentId: 'a9', parentUuid: null });
    script.prompt('<task-notification>heron</task-notification>', { promptId: 'p-1', parentUuid: null });
    script.use('toolu_2', 'Bash', { command: 'heron' }, { promptId: 'p-1' });
    script.result('toolu_2', 'heron');
    const events = newEvents(script);
    expect(JSON.stringify(events)).not.toContain('heron');
    expect(events.map(({ type }) => type)).toEqual([
      'session.started',
      'prompt.submitted',
      'prompt.submitted',
    ]);
  });

  it('begins with a private prompt that was only queued, and ends with the next prompt', () => {
    const script = new Script();
    script.prompt('public');
    script.reply('before');
    script.enqueue(PRIVATE);
    script.reply('an answer to heron');
    script.prompt('public again');
    script.reply('after');
    const events = newEvents(script);
    expect(ofType(events, 'agent.replied').map(({ body }) => body.text)).toEqual(['before', 'after']);
    expect(ofType(events, 'prompt.submitted').map(({ body }) => [body.via, body.private])).toEqual([
      ['line', false],
      ['queue', true],
      ['line', false],
    ]);
  });

  it('is remembered across a restart', () => {
    const script = new Script();
    script.prompt(PRIVATE);
    const cut = script.bytes().length;
    script.reply('heron answer');
    expect(JSON.stringify(readInSlices(script.bytes(), [cut]).newEvents)).not.toContain('heron');
  });

  it('does not include a prompt that is only partly private', () => {
    const script = new Script();
    script.prompt(`fix it ${PRIVATE} please`);
    script.reply('fixed');
    const events = newEvents(script);
    expect(ofType(events, 'prompt.submitted').map(({ body }) => body.text)).toEqual(['fix it  please']);
    expect(ofType(events, 'agent.replied')).toHaveLength(1);
  });
});

describe('The stored events', () => {
  const KEY = `sk-ant-api03-${'Ab1'.repeat(31)}-AA`;

  it('hold no secrets in any type, also not in names', () => {
    const script = new Script({ cwd: `/home/u/${KEY}` });
    script.prompt(`use ${KEY}`, { gitBranch: `b-${KEY}` });
    script.reply(`I use ${KEY}`);
    script.use('toolu_1', 'Bash', { command: `curl -H 'x-api-key: ${KEY}'`, file_path: `/tmp/${KEY}.txt` });
    script.result('toolu_1', `got ${KEY}`, { toolUseResult: { stdout: `got ${KEY}`, other: KEY } });
    script.use('toolu_2');
    script.result('toolu_2', `bad ${KEY}`, {}, { is_error: true });
    script.use('toolu_3', 'Bash', { command: KEY });
    script.meta('custom-title', { customTitle: `title ${KEY}` });
    script.enqueue(`queued ${KEY}`);
    script.dequeue();
    script.attachment({ type: 'queued_command', prompt: `attached ${KEY}`, origin: { kind: 'human' } });
    script.reply(`failed with ${KEY}`, { isApiErrorMessage: true }, { model: '<synthetic>' });
    script.prompt('go on');
    script.raw({ type: KEY, sessionId: script.session });
    script.text(`{"broken ${KEY}\n`);
    const { newEvents: events, state } = readWhole(script.bytes());
    expect(events.length).toBeGreaterThan(9);
    expect(JSON.stringify([events, state])).not.toContain(KEY.slice(0, 40));
  });

  it.each<RawLine>([
    { type: 'prompt_snapshot', system: 'heron' },
    { type: 'session_context', email: 'heron@example.com' },
    { type: 'hook_additional_context', content: ['heron'] },
    { type: 'nested_memory', content: 'heron' },
    { type: 'a_new_kind', content: 'heron' },
  ])('hold no attachment of kind $type', (attachment) => {
    const script = new Script();
    script.attachment(attachment);
    const { newEvents: events, state } = readWhole(script.bytes());
    expect(JSON.stringify([events, state])).not.toContain('heron');
    expect(events.map(({ type }) => type)).toEqual(['session.started']);
    expect(state.counts.unknownAttachments).toEqual(
      attachment.type === 'a_new_kind' ? { a_new_kind: 1 } : {},
    );
  });

  it('hold no bookkeeping lines, and unknown lines are counted by name', () => {
    const script = new Script();
    script.meta('bridge-session', { ownerAccountUuid: 'heron' });
    script.meta('cost-state', { totalCostUSD: 1 });
    script.message('progress', null, { data: { type: 'agent_progress', message: 'heron' } });
    script.meta('brand-new', { text: 'heron' });
    script.meta('brand-new', { text: 'heron' });
    script.meta('a name with heron in it', {});
    script.raw({ no: 'type' });
    const { newEvents: events, state } = readWhole(script.bytes());
    expect(events.map(({ type }) => type)).toEqual(['session.started']);
    expect(state.counts.unknownLines).toEqual({ 'brand-new': 2, '(unnamed)': 2 });
    expect(JSON.stringify([events, state])).not.toContain('heron');
  });

  it('hold nothing that we added to the agent’s context ourselves', () => {
    const script = new Script();
    script.prompt('<annals-context>heron</annals-context>\nfix the build');
    script.use('toolu_1');
    script.result('toolu_1', 'a <annals-context>heron</annals-context> b');
    const events = newEvents(script);
    expect(JSON.stringify(events)).not.toContain('heron');
    expect(ofType(events, 'prompt.submitted')[0]?.body.text).toBe('fix the build');
  });

  it('hold at most 32 KiB of a text', () => {
    const script = new Script();
    script.prompt('x'.repeat(100_000));
    script.use('toolu_1', 'Write', { content: 'y'.repeat(100_000) });
    script.result('toolu_1', 'z'.repeat(100_000));
    for (const newEvent of newEvents(script)) expect(JSON.stringify(newEvent).length).toBeLessThan(70_000);
  });
});
