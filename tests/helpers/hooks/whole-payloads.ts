// One payload of each kept event, with every field that the published reference names or a real Claude Code
// sends. Invented; tests/fixtures/hook-payloads has single forms.
import { type Payload, payload } from '../spool.ts';

const EFFORT: Payload = { effort: { level: 'high' } };

const TOOL: Payload = {
  tool_name: 'Bash',
  tool_input: { command: 'npm test', description: 'Run tests', timeout: 120_000, run_in_background: false },
  tool_use_id: 'toolu_01ABC',
  duration_ms: 4_187,
  ...EFFORT,
  agent_id: 'a881341',
  agent_type: 'Explore',
  mcp_server: { name: 'files', source: 'project' },
};

const STOP: Payload = {
  ...EFFORT,
  stop_hook_active: false,
  last_assistant_message: 'Fixed: the clock was mocked too late.',
  background_tasks: [{ id: 'task-001', type: 'shell', status: 'running', description: 'dev server' }],
  session_crons: [],
};

export const WHOLE_PAYLOADS: readonly Payload[] = [
  payload('SessionStart', {
    source: 'resume',
    model: 'claude-test-1',
    session_title: 'auth-refactor',
    seconds_since_last_response: 5_400,
    context_tokens: 81_234,
    prompt_cache_likely_expired: true,
    estimated_cache_write_usd: 0.31,
    agent_type: 'reviewer',
  }),
  payload('UserPromptSubmit', {
    prompt: 'Why does the login test flake?',
    source: 'user',
    session_title: 'auth-refactor',
  }),
  payload('PostToolUse', {
    ...TOOL,
    tool_name: 'Agent',
    tool_input: {
      description: 'look for clocks',
      prompt: 'Which tests mock the clock?',
      subagent_type: 'Explore',
    },
    tool_response: {
      status: 'completed',
      agentId: 'a4',
      content: [{ type: 'text', text: 'Two of them.' }],
      totalDurationMs: 4_100,
    },
  }),
  payload('PostToolUseFailure', { ...TOOL, error: 'Exit code 1\nCannot find module', is_interrupt: false }),
  payload('Stop', STOP),
  payload('StopFailure', {
    ...EFFORT,
    error: 'rate_limit',
    error_details: '429 Too Many Requests',
    last_assistant_message: 'API Error',
  }),
  payload('SubagentStop', {
    ...STOP,
    agent_id: 'a881341',
    agent_type: 'Explore',
    agent_transcript_path: '/home/u/.claude/projects/-home-u-app/s/subagents/agent-a881341.jsonl',
  }),
  payload('SessionEnd', { reason: 'prompt_input_exit' }),
];
