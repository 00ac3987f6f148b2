// Rollouts of older versions.
import { describe, expect, it } from 'vitest';
import { execOutput, Rollout, START, THREAD, TURN, uuidAt } from './rollout.ts';

const NEXT = uuidAt(START + 200_000, 3);

describe('A legacy rollout', () => {
  const legacy = () =>
    new Rollout()
      .meta({ history_mode: 'legacy' })
      .turn()
      .response({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it' }] })
      .event('user_message', { message: 'Fix it', images: ['data:'], local_images: [] });

  it('has prompts and answers in messages', () => {
    const rollout = legacy()
      .event('agent_message', { message: 'I look.', phase: 'commentary' })
      // Some versions write the item as well.
      .item({ type: 'AgentMessage', id: 'msg_1', content: [{ type: 'Text', text: 'I look.' }] });
    expect(rollout.of('prompt')).toMatchObject([{ turn: TURN, text: 'Fix it', images: 1 }]);
    expect(rollout.of('reply')).toMatchObject([{ text: 'I look.', goesOn: true }]);
    expect(new Set([...rollout.of('prompt'), ...rollout.of('reply')].map(({ id }) => id)).size).toBe(2);
  });

  it('is read in the other form from the turn on in which it was migrated', () => {
    const rollout = legacy().turn(NEXT).prompted('And this', 'item-2').said('Done.', 'msg_2');
    expect(rollout.of('prompt').map(({ text }) => text)).toEqual(['Fix it', 'And this']);
    expect(rollout.of('reply').map(({ text }) => text)).toEqual(['Done.']);
  });

  it.each([
    [execOutput('x\n', 'Process exited with code 7'), 'failed', 'Exit code 7\nx\n', 500],
    [execOutput('x\n'), 'ok', 'x\n', 500],
    [
      '{"output":"x\\n","metadata":{"exit_code":1,"duration_seconds":1.2}}',
      'failed',
      'Exit code 1\nx\n',
      1_200,
    ],
    ['Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.', 'ok', 'Success.', 0],
    [
      'apply_patch verification failed: no such lines',
      'failed',
      'apply_patch verification failed: no such lines',
      null,
    ],
    ['aborted by user after 29.7s', 'cancelled', 'aborted by user after 29.7s', null],
    ['Wall time: 5.0 seconds\naborted by user', 'cancelled', 'Wall time: 5.0 seconds\naborted by user', null],
    ['exec command rejected by user', 'cancelled', 'exec command rejected by user', null],
    ['Process exited with code 1 said the script', 'ok', 'Process exited with code 1 said the script', null],
  ] as const)('says how a call ended in the text of its output: %s', (output, outcome, text, durationMs) => {
    const rollout = legacy().called('call_1', 'exec_command', { cmd: 'x' }).answered('call_1', output);
    expect(rollout.of('result')).toMatchObject([{ outcome, text, durationMs }]);
  });

  it('says in an event whether a patch was applied', () => {
    const rollout = legacy()
      .patched('call_1', '*** Begin Patch\n*** End Patch')
      .event('patch_apply_end', { call_id: 'call_1', success: false, stdout: 'mismatch', changes: {} })
      .answered('call_1', 'something went wrong');
    expect(rollout.of('result')).toMatchObject([{ outcome: 'failed', text: 'something went wrong' }]);
  });

  it.each([
    [{ Err: 'no server' }, 'failed'],
    [{ Ok: { content: [], isError: true } }, 'failed'],
    [{ Ok: { content: [] } }, 'ok'],
  ])('says in an event whether a tool of a server failed: %j', (result, outcome) => {
    const rollout = legacy()
      .called('call_1', 'echo', {}, { namespace: 'mcp__kit' })
      .event('mcp_tool_call_end', { call_id: 'call_1', invocation: { server: 'kit', tool: 'echo' }, result })
      .answered('call_1', 'Wall time: 4.3804 seconds\nOutput:\n{}');
    expect(rollout.of('call')[0]).toMatchObject({ name: 'mcp__kit__echo' });
    expect(rollout.of('result')).toMatchObject([{ outcome, text: '{}' }]);
  });

  it('has a search of the web once, though an event and an item report it', () => {
    const rollout = legacy()
      .event('web_search_end', { call_id: 'ws_1', query: 'zstd', action: { type: 'search', query: 'zstd' } })
      .response({ type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'zstd' } })
      .response({
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'open_page', url: 'https://a.example' },
      });
    expect(rollout.of('call')).toMatchObject([
      { id: 'ws_1', name: 'web_search', input: { query: 'zstd' } },
      { name: 'web_search', input: { url: 'https://a.example' } },
    ]);
    expect(rollout.of('result')).toHaveLength(2);
  });

  it('counts tokens when the running total grows', () => {
    const count = (total: number) => ({
      info: {
        total_token_usage: { total_tokens: total },
        last_token_usage: { input_tokens: 24_098, cached_input_tokens: 2_432, output_tokens: 389 },
      },
    });
    const rollout = legacy()
      .event('token_count', count(24_487))
      .event('token_count', count(24_487))
      .event('token_count', { info: null });
    expect(rollout.of('reply')).toMatchObject([
      { text: null, usage: { input: 21_666, output: 389, cacheRead: 2_432, cacheCreation: 0 } },
    ]);
  });

  it('says that a turn was interrupted', () => {
    const rollout = legacy().event('turn_aborted', { turn_id: TURN, reason: 'interrupted' });
    expect(rollout.of('stop')).toMatchObject([{ id: `aborted:${TURN}`, reason: 'interrupted' }]);
  });
});

describe('A rollout without envelopes', () => {
  it('has prompts and answers among the items of the model, and its folder in the first', () => {
    const rollout = new Rollout();
    rollout.lines.push(
      {
        id: THREAD,
        timestamp: '2025-08-01T10:00:00.000Z',
        instructions: 'Be brief.',
        git: { branch: 'dev' },
      },
      { record_type: 'state' },
      {
        type: 'message',
        role: 'user',
        content: [
          {
            type: 'input_text',
            text: '<environment_context>\n  <cwd>/home/u/app</cwd>\n</environment_context>',
          },
        ],
      },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files' }] },
      { type: 'reasoning', summary: [] },
      {
        type: 'function_call',
        name: 'shell',
        arguments: '{"command":["bash","-lc","ls"]}',
        call_id: 'call_1',
      },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: '{"output":"a\\n","metadata":{"exit_code":0}}',
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One file.' }] },
    );
    expect(rollout.records()).toMatchObject([
      { kind: 'session', session: THREAD, branch: 'dev' },
      { kind: 'workdir', cwd: '/home/u/app' },
      { kind: 'ignored', reason: 'injected context' },
      { kind: 'prompt', text: 'List the files' },
      { kind: 'call', name: 'shell', input: { command: ['bash', '-lc', 'ls'] } },
      { kind: 'result', outcome: 'ok', text: 'a\n' },
      { kind: 'reply', text: 'One file.' },
    ]);
  });
});
