// Hooks of Copilot CLI, Cursor and Windsurf in the common form. Payloads are made by hand in the shape that the agents
// send (Copilot 1.0.102) or document (Cursor, Windsurf).
import { expect, test } from 'vitest';
import type { Agent } from '../../../src/agents/common/agent.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { copilot } from '../../../src/agents/copilot/index.ts';
import { cursor } from '../../../src/agents/cursor/index.ts';
import { windsurf } from '../../../src/agents/windsurf/index.ts';

const machine = { environment: {}, userHome: '/home/u', windows: false };
const path = '/home/u/.copilot/session-state/s1/events.jsonl';
const base = { sessionId: 's1', timestamp: 1, cwd: '/home/u/app' };
const sub = { ...base, sessionId: 'a1', agentId: 'a1', agentType: 'general', parentAgentId: 's1' };
const talk = {
  conversation_id: 's1',
  generation_id: 'g1',
  workspace_roots: ['/home/u/app'],
  user_email: 'u@example.com',
};
const cascade = (action: string, info: JsonObject) => ({
  agent_action_name: action,
  trajectory_id: 's1',
  execution_id: 'g1',
  tool_info: info,
});

test.each<[Agent, JsonObject, JsonObject | string]>([
  [
    copilot,
    { ...base, source: 'new', initialPrompt: 'x' },
    { hook_event_name: 'SessionStart', source: 'startup' },
  ],
  [copilot, { ...base, source: 'resume' }, { hook_event_name: 'SessionStart', source: 'resume' }],
  [copilot, { ...base, reason: 'complete' }, { hook_event_name: 'SessionEnd', reason: 'complete' }],
  [copilot, { ...base, prompt: 'Write' }, { hook_event_name: 'UserPromptSubmit', prompt: 'Write' }],
  [copilot, { ...base, prompt: '' }, 'prompt without text'],
  [copilot, { ...base, prompt: 'x', transformedPrompt: 'y x' }, 'unknown event'],
  [copilot, { ...sub, prompt: 'Count' }, 'prompt of a sub-agent'],
  [copilot, { ...base, toolName: 'bash', toolArgs: {} }, 'unknown event'],
  [
    copilot,
    {
      ...base,
      toolName: 'bash',
      toolArgs: { command: 'ls' },
      toolResult: {
        resultType: 'success',
        textResultForLlm: 'a\n<shellId: 0 completed with exit code 0>',
      },
    },
    { hook_event_name: 'PostToolUse', tool_name: 'bash', tool_input: { command: 'ls' } },
  ],
  [
    copilot,
    {
      ...base,
      toolName: 'bash',
      toolArgs: { command: 'ls x' },
      toolResult: {
        resultType: 'success',
        textResultForLlm: 'no x\n<shellId: 0 completed with exit code 2>',
      },
    },
    {
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'bash',
      error: 'no x\n<shellId: 0 completed with exit code 2>',
    },
  ],
  [
    copilot,
    {
      ...base,
      toolName: 'bash',
      toolArgs: { command: 'npm start' },
      toolResult: { resultType: 'success', textResultForLlm: 'started' },
    },
    { hook_event_name: 'PostToolUse', outcome_unknown: true },
  ],
  [
    copilot,
    { ...base, toolName: 'view', toolArgs: { path: 'x' }, error: 'no file' },
    { hook_event_name: 'PostToolUseFailure', tool_name: 'view', error: 'no file' },
  ],
  [copilot, { ...sub, toolName: 'bash', toolArgs: {}, toolResult: {} }, 'tool use of a sub-agent'],
  [
    copilot,
    { ...base, transcriptPath: path, stopReason: 'end_turn' },
    { hook_event_name: 'Stop', session_id: 's1' },
  ],
  [copilot, { ...sub, transcriptPath: path, stopReason: 'end_turn' }, 'stop of a sub-agent'],
  [
    copilot,
    {
      ...sub,
      sessionId: 'x',
      transcriptPath: path,
      agentName: 'general',
      stopReason: 'end_turn',
      response: 'Two.',
    },
    { hook_event_name: 'SubagentStop', session_id: 's1', agent_id: 'a1', last_assistant_message: 'Two.' },
  ],
  [copilot, { ...base, errorContext: 'model_call', error: { message: 'x' } }, 'unknown event'],
  [
    copilot,
    {
      hook_event_name: 'PostToolUse',
      session_id: 's1',
      tool_name: 'Write',
      tool_input: { path: 'x' },
      tool_result: { text_result_for_llm: 'Created' },
    },
    { hook_event_name: 'PostToolUse', session_id: 's1', tool_name: 'create', tool_response: 'Created' },
  ],
  [
    cursor,
    { ...talk, hook_event_name: 'sessionStart' },
    { hook_event_name: 'SessionStart', cwd: '/home/u/app' },
  ],
  [
    cursor,
    { ...talk, hook_event_name: 'beforeSubmitPrompt', prompt: 'Fix' },
    { hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt: 'Fix', prompt_id: 'g1' },
  ],
  [
    cursor,
    {
      ...talk,
      hook_event_name: 'postToolUse',
      tool_name: 'Shell',
      tool_use_id: 't',
      tool_output: '{"exitCode":2}',
    },
    { hook_event_name: 'PostToolUseFailure', tool_name: 'Shell', tool_response: { exitCode: 2 } },
  ],
  [
    cursor,
    { ...talk, hook_event_name: 'afterAgentResponse', text: 'Done.' },
    { hook_event_name: 'Stop', last_assistant_message: 'Done.' },
  ],
  [cursor, { ...talk, hook_event_name: 'beforeReadFile' }, 'unknown event'],
  [
    windsurf,
    cascade('pre_user_prompt', { user_prompt: 'Run' }),
    { hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt_id: 'g1', prompt: 'Run' },
  ],
  [
    windsurf,
    cascade('post_run_command', { command_line: 'npm test', cwd: '/home/u/app' }),
    { hook_event_name: 'PostToolUse', tool_name: 'run_command', cwd: '/home/u/app' },
  ],
  [
    windsurf,
    cascade('post_mcp_tool_use', { mcp_server_name: 'gh', mcp_tool_name: 'list', mcp_result: 'r' }),
    { hook_event_name: 'PostToolUse', tool_name: 'mcp__gh__list', tool_response: 'r' },
  ],
  [windsurf, cascade('post_cascade_response', { response: 'Done.' }), { hook_event_name: 'Stop' }],
  [windsurf, cascade('pre_run_command', { command_line: 'x' }), 'unknown event'],
])('%o reads %j', (agent, payload, expected) => {
  const read = agent.hooks!.read(payload);
  if (typeof expected === 'string') expect(read).toBe(expected);
  else expect(read).toMatchObject(expected);
  expect(JSON.stringify(read)).not.toContain('example.com');
});

test('answers take the form that each agent reads', () => {
  expect(copilot.hooks!.startAnswer('a', 'b')).toBe('{"additionalContext":"a"}\n');
  expect(cursor.hooks!.startAnswer('a', '')).toBe('{"additional_context":"a"}\n');
  expect(windsurf.hooks!.startAnswer('a', 'b')).toBe('');
});

test('the transcript with the ids of calls is found, and never outside its folder', () => {
  expect(copilot.hooks!.transcriptOf!({ session_id: 's1' }, machine)).toBe(path);
  expect(copilot.hooks!.transcriptOf!({ session_id: '../x' }, machine)).toBeNull();
});

test('no hook that could block a tool is installed', () => {
  for (const agent of [copilot, cursor, windsurf]) {
    const { settings } = agent.hooks!;
    const events = settings.kind === 'file' ? [] : settings.entries.map(({ event }) => event);
    expect(events.filter((event) => /^pre(?:ToolUse|_(?!user_prompt))|permission/i.test(event))).toEqual([]);
  }
});

test('hostile payloads throw nothing', () => {
  const values = [null, 0, '', 'x', [], {}, [[]], { message: 1 }, false];
  const keys =
    'sessionId toolName toolArgs toolResult prompt error reason hook_event_name conversation_id tool_output';
  const names = [
    ...keys.split(' '),
    'tool_info',
    'trajectory_id',
    'agent_action_name',
    'transcriptPath',
    '__proto__',
  ];
  for (let seed = 1; seed <= 20_000; seed++) {
    const payload = Object.fromEntries(
      names
        .filter((_, at) => (seed >> (at % 14)) % 2 === 1)
        .map((name, at) => [name, values[(seed + at * 5) % 9]!]),
    );
    for (const { hooks } of [copilot, cursor, windsurf]) hooks!.read(payload);
  }
});
