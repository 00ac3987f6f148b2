import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../log/index.ts';
import { onEachCorpus } from '../../helpers/corpus/corpora.ts';
import { hookEvents } from '../../helpers/hooks/claude-hook-events.ts';
import { hookCalls } from '../../helpers/hooks/hook-generator.ts';
import { ofType, readWhole, Script } from '../../helpers/transcripts.ts';

const CATALOG = await loadCatalog();

const receipt = { spoolName: 'claude-code-1-1.json', receivedAt: 1_767_225_600_000 };
const common = {
  session_id: 's1',
  transcript_path: '/home/u/.claude/projects/-home-u-app/s1.jsonl',
  cwd: '/home/u/app',
  permission_mode: 'default',
  prompt_id: 'p-1',
};

function tell(event: string, fields: Record<string, unknown> = {}) {
  return hookEvents({ ...common, hook_event_name: event, ...fields }, receipt);
}

describe('Hooks as events', () => {
  it.each([
    [
      'SessionStart',
      { source: 'resume', model: 'm' },
      'session.started',
      'resume:claude-code-1-1.json',
      { source: 'resume', model: 'm' },
    ],
    ['SessionEnd', { reason: 'clear' }, 'session.ended', 'clear:claude-code-1-1.json', { reason: 'clear' }],
    [
      'UserPromptSubmit',
      { prompt: 'Why?', source: 'user' },
      'prompt.submitted',
      'claude-code-1-1.json',
      { text: 'Why?', private: false, kind: 'prompt', via: 'hook', source: 'user', promptId: 'p-1' },
    ],
    [
      'UserPromptSubmit',
      { prompt: 'Why?', prompt_id: undefined },
      'prompt.submitted',
      'claude-code-1-1.json',
      { promptId: null },
    ],
    [
      'UserPromptSubmit',
      { prompt: '<tick>1</tick> Who writes this?', source: 'user' },
      'prompt.submitted',
      'claude-code-1-1.json',
      { text: '<tick>1</tick> Who writes this?' },
    ],
    [
      'UserPromptSubmit',
      { prompt: '/review src/', source: 'sdk' },
      'prompt.submitted',
      'claude-code-1-1.json',
      { text: '/review src/', kind: 'command' },
    ],
    [
      'UserPromptSubmit',
      { prompt: '<private>heron</private>' },
      'prompt.submitted',
      'claude-code-1-1.json',
      { text: null, private: true },
    ],
    [
      'PostToolUse',
      {
        tool_name: 'Bash',
        tool_use_id: 'toolu_1',
        tool_input: { command: 'ls' },
        tool_response: { stdout: 'a.txt', stderr: '', interrupted: false },
        duration_ms: 12,
      },
      'tool.used',
      'toolu_1',
      {
        name: 'Bash',
        input: { command: 'ls' },
        outcome: 'ok',
        result: 'a.txt',
        detail: { interrupted: false },
        error: null,
        durationMs: 12,
        agentId: null,
      },
    ],
    [
      'PostToolUse',
      {
        tool_name: 'Bash',
        tool_use_id: 't',
        tool_input: {},
        tool_response: { stdout: '', interrupted: true },
      },
      'tool.used',
      't',
      { outcome: 'cancelled' },
    ],
    [
      'PostToolUse',
      {
        tool_name: 'Agent',
        tool_use_id: 't',
        tool_input: {},
        tool_response: { status: 'async_launched', agentId: 'a4' },
      },
      'tool.used',
      't',
      { launchedAgentId: 'a4' },
    ],
    [
      'PostToolUseFailure',
      {
        tool_name: 'Bash',
        tool_use_id: 't',
        tool_input: {},
        error: 'Exit code 1',
        is_interrupt: false,
        duration_ms: 4,
      },
      'tool.used',
      't',
      { outcome: 'failed', error: 'Exit code 1', result: null },
    ],
    [
      'PostToolUseFailure',
      { tool_name: 'Bash', tool_use_id: 't', tool_input: {}, error: 'x', is_interrupt: true, agent_id: 'a1' },
      'tool.used',
      't',
      { outcome: 'cancelled', agentId: 'a1', sidechain: true },
    ],
    [
      'Stop',
      { last_assistant_message: 'Done.', background_tasks: [{}, {}] },
      'agent.stopped',
      'p-1:claude-code-1-1.json',
      { reason: 'stop', text: 'Done.', backgroundTasks: 2, error: null },
    ],
    [
      'StopFailure',
      { error: 'rate_limit', last_assistant_message: 'API Error: Rate limit' },
      'agent.stopped',
      'p-1:claude-code-1-1.json',
      { reason: 'error', error: 'rate_limit', text: null },
    ],
    [
      'SubagentStop',
      { agent_id: 'a1', agent_type: 'Explore', last_assistant_message: 'Found.' },
      'agent.stopped',
      'p-1:claude-code-1-1.json',
      { reason: 'subagent-stop', agentId: 'a1', agentType: 'Explore', text: 'Found.' },
    ],
  ] as const)('%s %j', (event, fields, type, dedupeKey, body) => {
    const { events, ignored } = tell(event, fields);
    expect(ignored).toBeNull();
    expect(events).toMatchObject([
      {
        type,
        dedupeKey,
        agent: 'claude-code',
        session: 's1',
        channel: 'hook',
        occurredAt: receipt.receivedAt,
        body,
      },
    ]);
    expect(events[0]?.body).toMatchObject({ cwd: '/home/u/app' });
    expect(CATALOG[type].body.safeParse(events[0]?.body).success).toBe(true);
  });

  it.each([
    ['PreToolUse', { tool_name: 'Bash' }, 'PreToolUse'],
    ['Notification', { message: 'x' }, 'Notification'],
    ['constructor', {}, 'constructor'],
    ['a name with <heron>', {}, 'unknown event'],
    ['UserPromptSubmit', { prompt: 'x', source: 'system' }, 'UserPromptSubmit not by a person'],
    ['UserPromptSubmit', { prompt: 'x', source: 'schedule_wakeup' }, 'UserPromptSubmit not by a person'],
    [
      'UserPromptSubmit',
      { prompt: '<task-notification>x</task-notification>' },
      'UserPromptSubmit not by a person',
    ],
    [
      'UserPromptSubmit',
      { prompt: '{"task_id":"b1","description":"x","task_type":"local_bash"}' },
      'UserPromptSubmit not by a person',
    ],
    [
      'UserPromptSubmit',
      { prompt: '<ide_opened_file>a.ts</ide_opened_file>' },
      'UserPromptSubmit not by a person',
    ],
    ['Stop', { cwd: '' }, 'empty cwd'],
    ['Stop', { session_id: 7 }, 'no session id'],
  ] as const)('makes no event of %s %j and gives the reason', (event, fields, ignored) => {
    expect(tell(event, fields)).toEqual({ events: [], ignored });
  });

  it('ignores payloads that are not valid', () => {
    for (const junk of [null, 'x', [], 5, undefined, {}])
      expect(hookEvents(junk, receipt)).toMatchObject({ events: [] });
  });

  it('keeps the name of a sub-agent up to 128 characters', () => {
    const agentOf = (agent_id: unknown) => tell('SubagentStop', { agent_id }).events[0]?.body;
    expect(agentOf('a'.repeat(128))).toMatchObject({ agentId: 'a'.repeat(128) });
    for (const odd of ['a'.repeat(129), '', 42, {}]) expect(agentOf(odd)).toMatchObject({ agentId: null });
  });

  it('keeps no secret, no injected text and no more than 8 KiB of a string', () => {
    const key = `sk-ant-api03-${'Ab1'.repeat(31)}-AA`;
    const emitted = [
      tell('UserPromptSubmit', { prompt: `use ${key}` }),
      tell('PostToolUse', {
        tool_use_id: 't',
        tool_name: 'Bash',
        tool_input: { command: key, [key]: 1 },
        tool_response: { stdout: `<annals-context>heron</annals-context>${key}`, more: 'x'.repeat(100_000) },
      }),
      tell('Stop', { last_assistant_message: key, cwd: `/home/${key}` }),
      tell('StopFailure', { error: key }),
    ];
    expect(JSON.stringify(emitted)).not.toContain(key.slice(0, 40));
    expect(JSON.stringify(emitted)).not.toContain('heron');
    expect(JSON.stringify(emitted).length).toBeLessThan(20_000);
  });
});

describe('The hook generator', () => {
  it('makes the calls of a conversation in time order, with or without prompt ids, and drops every n-th', () => {
    const script = new Script();
    script.prompt('fix it');
    script.use('toolu_1');
    script.result('toolu_1', 'ok', { toolUseResult: { stdout: 'ok' } });
    script.use('toolu_2');
    script.result('toolu_2', 'Exit code 1', {}, { is_error: true });
    script.use('toolu_3');
    script.result('toolu_3', "The user doesn't want to proceed", {}, { is_error: true });
    script.reply('fixed');
    script.enqueue('only queued');
    script.dequeue();
    script.prompt('thanks');
    script.message('user', { content: [{ type: 'text', text: '[Request interrupted by user]' }] }, {});
    const calls = hookCalls(script.bytes(), { promptId: true });
    expect(calls.map(({ payload }) => payload.hook_event_name)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PostToolUse',
      'PostToolUseFailure',
      'Stop',
      'UserPromptSubmit',
      'UserPromptSubmit',
      'SessionEnd',
    ]);
    expect(calls.map(({ receipt: { receivedAt } }) => receivedAt)).toEqual(
      calls.map(({ receipt: { receivedAt } }) => receivedAt).sort((a, b) => a - b),
    );
    expect(new Set(calls.map(({ receipt: { spoolName } }) => spoolName)).size).toBe(calls.length);
    expect(calls.filter(({ payload }) => 'prompt_id' in payload)).toHaveLength(7);
    const withoutIds = hookCalls(script.bytes(), { promptId: false, loseEvery: 4 });
    expect(withoutIds.filter(({ payload }) => 'prompt_id' in payload)).toEqual([]);
    expect(withoutIds).toHaveLength(6);
  });
});

onEachCorpus('Hooks and transcript', ({ files }) => {
  it.each(files.filter(({ name }) => !name.includes('subagents')))(
    '$name: name the same tool uses and prompts',
    (file) => {
      const calls = hookCalls(file.bytes(), { promptId: true });
      const emitted = calls.flatMap(({ payload, receipt: one }) => hookEvents(payload, one).events);
      expect(emitted.every(({ type, body }) => CATALOG[type].body.safeParse(body).success)).toBe(true);
      const { newEvents } = readWhole(file.bytes(), { name: file.name });
      const known = new Set(ofType(newEvents, 'tool.used').map(({ dedupeKey }) => dedupeKey));
      const hooked = ofType(emitted, 'tool.used').map(({ dedupeKey }) => dedupeKey);
      expect(hooked.filter((dedupeKey) => !known.has(dedupeKey))).toEqual([]);
      const lines = ofType(newEvents, 'prompt.submitted').filter(
        ({ body }) => body.via === 'line' && body.kind === 'prompt',
      );
      expect(ofType(emitted, 'prompt.submitted').length).toBeGreaterThanOrEqual(lines.length);
    },
  );
});
