// Which lines of a rollout are its own, and which texts are a person's.
import { describe, expect, it } from 'vitest';
import { execOutput, paginated, Rollout, START, THREAD, TURN, uuidAt } from './rollout.ts';

const PARENT = uuidAt(START - 60_000, 9);
const NEXT = uuidAt(START + 200_000, 3);

describe('A fork', () => {
  it('that names its history is read from its first line on', () => {
    const fork = new Rollout()
      .meta({ forked_from_id: PARENT, history_base: { thread_id: PARENT, end_ordinal_exclusive: 62 } })
      .turn()
      .prompted('And in the fork?');
    expect(fork.of('session')[0]).toMatchObject({ session: THREAD, source: 'fork' });
    expect(fork.of('prompt')).toHaveLength(1);
  });

  it('that repeats its parent’s lines has none of them, whatever time they bear', () => {
    const before = uuidAt(START - 30_000, 4);
    const fork = new Rollout()
      .meta({ forked_from_id: PARENT })
      .meta({ id: PARENT, cwd: '/home/u/other' })
      .turn(before)
      .event('user_message', { message: 'The parent’s prompt' })
      .called('call_1', 'exec_command', { cmd: 'ls' })
      .answered('call_1', execOutput('a'))
      .event('token_count', {
        info: { total_token_usage: { total_tokens: 5 }, last_token_usage: { input_tokens: 5 } },
      })
      .turn(TURN)
      .event('user_message', { message: 'The fork’s own' })
      .event('token_count', {
        info: { total_token_usage: { total_tokens: 9 }, last_token_usage: { input_tokens: 4 } },
      });
    expect(fork.of('prompt')).toMatchObject([{ text: 'The fork’s own', turn: TURN }]);
    expect(fork.of('call')).toEqual([]);
    expect(fork.of('reply').map(({ usage }) => usage!.input)).toEqual([4]);
    expect(fork.of('ignored').map(({ reason }) => reason)).toEqual(
      Array(4).fill('copied from another session'),
    );
    expect(fork.of('session').every(({ session, cwd }) => session === THREAD && cwd === '/home/u/app')).toBe(
      true,
    );
  });
});

describe('The rollout of a sub-agent', () => {
  const subagent = () =>
    new Rollout()
      .meta({
        session_id: PARENT,
        parent_thread_id: PARENT,
        source: { subagent: { thread_spawn: { parent_thread_id: PARENT, depth: 1 } } },
      })
      .turn(TURN, NEXT);

  it('belongs to the session and to the turn that launched it', () => {
    const rollout = subagent()
      .called(
        'call_1',
        'exec_command',
        { cmd: 'ls' },
        { internal_chat_message_metadata_passthrough: { turn_id: TURN } },
      )
      .said('Two files.', 'msg_1');
    expect(rollout.of('session')[0]).toMatchObject({ session: THREAD, parentSession: PARENT, source: null });
    expect(rollout.of('call')).toMatchObject([{ turn: NEXT }]);
    expect(rollout.of('reply')).toMatchObject([{ turn: NEXT, text: 'Two files.' }]);
  });

  it('has no prompts of a person', () => {
    expect(subagent().prompted('Count the files').of('prompt')).toEqual([]);
    expect(subagent().prompted('Count the files').of('ignored')).toMatchObject([
      { reason: 'prompt of a sub-agent' },
    ]);
  });

  it('is named by the result of the call that launched it', () => {
    const rollout = paginated()
      .called('call_1', 'spawn_agent', { message: 'count' }, { namespace: 'collaboration' })
      .item({ type: 'SubAgentActivity', id: 'call_1', kind: 'started', agent_thread_id: NEXT })
      .answered('call_1', '{"task_name":"/root/helper"}')
      .item({
        type: 'SubAgentActivity',
        id: 'subagent-completed-1',
        kind: 'completed',
        agent_thread_id: NEXT,
      });
    expect(rollout.of('call')).toMatchObject([{ name: 'spawn_agent' }]);
    expect(rollout.of('result')).toMatchObject([
      { launchedAgentId: NEXT, text: '{"task_name":"/root/helper"}' },
    ]);
  });
});

describe('Text in a person’s place', () => {
  it.each([
    '# AGENTS.md instructions for /home/u/app\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>',
    '<environment_context>\n<cwd>/home/u/app</cwd>\n</environment_context>',
    '<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>',
    '<skill>\n<name>x</name>\n</skill>',
    '<annals-context>what was done</annals-context>',
    '<permissions instructions>\nAsk.\n</permissions instructions>\n<skill>x</skill>',
    '<skill>x</skill>\n<turn_aborted>\nwithout an end',
    '<skill>write <skill>y</skill> and never push</skill>',
    '<environment_context>x</environment_context>\n# AGENTS.md instructions for /home/u/app\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>',
    '<user_shell_command>\nls\n</user_shell_command>',
  ])('that the program wrote is no prompt: %s', (text) => {
    const rollout = new Rollout().meta().turn().event('user_message', { message: text });
    expect(rollout.of('prompt')).toEqual([]);
    expect(rollout.of('ignored')).toMatchObject([{ reason: 'injected context' }]);
  });

  it.each([
    [
      '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nRename it',
      'Rename it',
    ],
    [
      '<in-app-browser-context source="x">y</in-app-browser-context>\n\n## My request for Codex:\nOpen it',
      'Open it',
    ],
    ['<instructions>Use tabs.</instructions>\nRename the frobnicator', 'Rename the frobnicator'],
    ['<private>secret</private>', '<private>secret</private>'],
    ['<div> is not closed, why?', '<div> is not closed, why?'],
    [
      '## My request for Codex:\nis a heading that I quote',
      '## My request for Codex:\nis a heading that I quote',
    ],
  ])('is the person’s without what an editor put before it: %s', (message, text) => {
    expect(new Rollout().meta().turn().event('user_message', { message }).of('prompt')).toMatchObject([
      { text },
    ]);
  });

  it('is no private prompt because it is empty', () => {
    const rollout = new Rollout().meta().turn();
    expect(rollout.event('user_message', { message: ' ' }).of('ignored')).toMatchObject([
      { reason: 'no text' },
    ]);
    expect(rollout.event('user_message', { message: '', images: ['data:'] }).of('prompt')).toMatchObject([
      { text: '[image]', images: 1 },
    ]);
  });
});
