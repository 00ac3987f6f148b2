import { describe, expect, it } from 'vitest';
import { execOutput, Rollout, START, THREAD, TURN, uuidAt } from './rollout.ts';

const PARENT = uuidAt(START - 60_000, 9);
const NEXT = uuidAt(START + 200_000, 3);

function paginated(): Rollout {
  return new Rollout()
    .meta({ history_mode: 'paginated' })
    .turn()
    .prompted('Make the tests pass')
    .said('I run them.', 'msg_1');
}

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
    expect(rollout.of('reply')).toMatchObject([{ text: 'I look.' }]);
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
