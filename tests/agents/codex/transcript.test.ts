import { describe, expect, it } from 'vitest';
import { execOutput, paginated, Rollout, START, THREAD, TURN, uuidAt } from './rollout.ts';

const _NEXT = uuidAt(START + 200_000, 3);

describe('A paginated rollout', () => {
  it('gives each prompt, answer and call once, though two lines have it', () => {
    const rollout = paginated()
      .called('call_1', 'exec_command', { cmd: 'npm test' })
      .command('call_1')
      .answered('call_1', execOutput('ok\n'))
      .said('They pass.', 'msg_2')
      .event('task_complete', { turn_id: TURN, last_agent_message: 'They pass.' });
    expect(rollout.records().filter(({ kind }) => kind !== 'session')).toMatchObject([
      { kind: 'prompt', id: 'item-1', turn: TURN, text: 'Make the tests pass' },
      { kind: 'reply', id: 'msg_1', turn: TURN, text: 'I run them.' },
      { kind: 'call', id: 'call_1', turn: TURN, name: 'exec_command', input: { cmd: 'npm test' } },
      { kind: 'result', id: 'call_1', outcome: 'ok', text: 'ok\n', durationMs: 1_500 },
      { kind: 'reply', id: 'msg_2', text: 'They pass.' },
    ]);
  });

  it('begins with its session, and names the model of each turn', () => {
    expect(paginated().of('session')).toMatchObject([
      { session: THREAD, cwd: '/home/u/app', branch: 'main', agentVersion: '0.169.0', entrypoint: 'exec' },
      { session: THREAD, model: 'gpt-5.5' },
    ]);
  });

  it('knows that a command failed from its exit code', () => {
    const rollout = paginated()
      .called('call_1', 'exec_command', { cmd: 'cat missing.txt' })
      .command('call_1', { status: 'failed', exit_code: 1 })
      .answered('call_1', 'cat: missing.txt: No such file or directory\n');
    expect(rollout.of('result')).toMatchObject([
      {
        outcome: 'failed',
        text: 'Exit code 1\ncat: missing.txt: No such file or directory\n',
        detail: { exit_code: 1 },
      },
    ]);
  });

  it('counts the usage of each response once, and not its running totals', () => {
    const usage = {
      input_tokens: 90,
      cached_input_tokens: 60,
      cache_write_input_tokens: 10,
      output_tokens: 7,
    };
    const rollout = paginated()
      .line('token_usage_record', { turn_id: TURN, response_id: 'resp_1', usage })
      .event('token_count', { info: { total_token_usage: { total_tokens: 97 }, last_token_usage: usage } });
    expect(rollout.of('reply').slice(1)).toMatchObject([
      {
        text: null,
        messageId: 'usage:resp_1',
        usage: { input: 20, output: 7, cacheRead: 60, cacheCreation: 10 },
      },
    ]);
  });

  it('tells why a turn failed, for which no hook fires', () => {
    const failed = (error: Record<string, unknown>) =>
      paginated()
        .event('task_complete', { turn_id: TURN, error: error as never })
        .of('stop');
    expect(failed({ message: 'no money', codex_error_info: 'usage_limit_exceeded' })).toMatchObject([
      { id: `failed:${TURN}`, reason: 'error', error: 'usage_limit_exceeded' },
    ]);
    expect(failed({ message: 'status 400', codex_error_info: 'other' })[0]).toMatchObject({
      error: 'status 400',
    });
    expect(failed({ codex_error_info: { http_connection_failed: {} } })[0]).toMatchObject({
      error: 'http_connection_failed',
    });
  });

  it('has calls from within a script only as completed items', () => {
    const rollout = paginated()
      .response({
        type: 'custom_tool_call',
        name: 'exec',
        call_id: 'call_1',
        input: 'await tools.exec_command()',
      })
      .command('exec-1', { status: 'failed', exit_code: 2, aggregated_output: '1 failed\n' })
      .item({
        type: 'FileChange',
        id: 'exec-2',
        status: 'completed',
        stdout: 'Success.',
        changes: {
          '/home/u/app/a.ts': { type: 'add', content: 'one\n\ntwo\n' },
          '/home/u/app/b.ts': {
            type: 'update',
            unified_diff: '@@ -1 +1 @@\n-a\n+b',
            move_path: '/home/u/app/c.ts',
          },
        },
      })
      .item({
        type: 'McpToolCall',
        id: 'exec-3',
        server: 'kit',
        tool: 'echo',
        arguments: { text: 'x' },
        status: 'failed',
      })
      .answered('call_1', [
        { type: 'input_text', text: 'Script completed\nWall time 0.1 seconds\nOutput:\n' },
      ]);
    expect(rollout.of('call').map(({ id, name, input }) => [id, name, input])).toEqual([
      ['call_1', 'exec', { input: 'await tools.exec_command()' }],
      ['exec-1', 'exec_command', { cmd: ['/bin/bash', '-lc', 'npm test'], workdir: '/home/u/app' }],
      [
        'exec-2',
        'apply_patch',
        {
          input:
            '*** Begin Patch\n*** Add File: /home/u/app/a.ts\n+one\n+\n+two\n*** Update File: /home/u/app/b.ts\n' +
            '*** Move to: /home/u/app/c.ts\n@@ -1 +1 @@\n-a\n+b\n*** End Patch',
        },
      ],
      ['exec-3', 'mcp__kit__echo', { text: 'x' }],
    ]);
    expect(rollout.of('result').map(({ id, outcome, text }) => [id, outcome, text])).toEqual([
      ['exec-1', 'failed', 'Exit code 2\n1 failed\n'],
      ['exec-2', 'ok', 'Success.'],
      ['exec-3', 'failed', ''],
      ['call_1', 'ok', ''],
    ]);
  });

  it('leaves out commands that the person typed, and what repeats other lines', () => {
    const rollout = paginated()
      .command('call_9', { source: 'user_shell' })
      .line('world_state', { full: true })
      .line('compacted', { message: 'Summary', replacement_history: [{ type: 'message' }] })
      .response({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Summary' }] })
      .item({ type: 'Reasoning', id: 'rs_1', summary_text: ['thoughts'] });
    expect(rollout.records().length).toBe(paginated().records().length);
  });
});

describe('A command that still runs when its call ends', () => {
  const RUNNING = execOutput('', 'Process running with session ID 43225');

  it('has no result before its process ends, and then that of the call that waited', () => {
    const rollout = new Rollout()
      .meta()
      .turn()
      .called('call_1', 'exec_command', { cmd: 'npm test' })
      .answered('call_1', RUNNING)
      .called('call_2', 'write_stdin', { session_id: 43225, chars: '' })
      .answered('call_2', RUNNING);
    expect(rollout.of('result')).toMatchObject([{ id: 'call_2', outcome: 'ok' }]);
    rollout
      .called('call_3', 'write_stdin', { session_id: 43225, chars: '' })
      .answered('call_3', execOutput('1 failed\n', 'Process exited with code 1'));
    expect(rollout.of('result').slice(1)).toMatchObject([
      { id: 'call_3', outcome: 'ok', text: '1 failed\n' },
      { id: 'call_1', outcome: 'failed', text: 'Exit code 1\n1 failed\n' },
    ]);
  });

  it('has the result of its last line in a paginated rollout', () => {
    const rollout = paginated()
      .called('call_1', 'exec_command', { cmd: 'npm test' })
      .answered('call_1', RUNNING)
      .called('call_2', 'write_stdin', { session_id: 43225, chars: '' })
      .command('call_1', { status: 'failed', exit_code: 1, aggregated_output: 'all of it\n' })
      .answered('call_2', execOutput('the rest\n', 'Process exited with code 1'));
    expect(rollout.of('result')).toMatchObject([
      { id: 'call_1', outcome: 'failed', text: 'Exit code 1\nall of it\n' },
      { id: 'call_2' },
    ]);
  });

  it('is forgotten when too many others run', () => {
    const rollout = new Rollout().meta().turn();
    for (let number = 0; number < 500; number++)
      rollout.called(`call_${number}`, 'exec_command', { cmd: 'sleep 1000' });
    expect(rollout.of('call')).toHaveLength(500);
    rollout.answered('call_0', execOutput('late'));
    expect(rollout.of('result')).toMatchObject([{ id: 'call_0', outcome: 'ok' }]);
  });
});

it('Lines of an unknown type are counted by name', () => {
  const rollout = new Rollout()
    .meta()
    .line('brand_new', {})
    .event('new_event', {})
    .item({ type: 'NewItem', id: 'x' })
    .response({ type: 'new_response' });
  expect(rollout.of('unknown').map(({ name }) => name)).toEqual([
    'brand_new',
    'new_event',
    'NewItem',
    'new_response',
  ]);
});
