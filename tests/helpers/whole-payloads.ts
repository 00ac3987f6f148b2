// One payload of each event that is kept, with every field that the published reference names. An assumption until
// the first real ones lie in tests/fixtures/hook-payloads.
import { type Payload, payload } from './spool.ts';

const TOOL: Payload = {
  tool_name: 'Bash',
  tool_input: { command: 'npm test', description: 'Run tests', timeout: 120_000, run_in_background: false },
  tool_use_id: 'toolu_01ABC',
  duration_ms: 4_187,
  effort: { level: 'high' },
  agent_id: 'a881341',
  agent_type: 'Explore',
  mcp_server: { name: 'files', source: 'project' },
};

const STOP: Payload = {
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
  }),
  payload('UserPromptSubmit', {
    prompt: 'Why does the login test flake?',
    source: 'user',
    session_title: 'auth-refactor',
  }),
  payload('PostToolUse', {
    ...TOOL,
    tool_response: { stdout: 'ok', stderr: '', interrupted: false, agentId: 'a4', status: 'async_launched' },
  }),
  payload('PostToolUseFailure', { ...TOOL, error: 'Exit code 1\nCannot find module', is_interrupt: false }),
  payload('Stop', STOP),
  payload('StopFailure', {
    error: 'rate_limit',
    error_details: '429 Too Many Requests',
    last_assistant_message: 'API Error',
  }),
  payload('SubagentStop', { ...STOP, agent_id: 'a881341', agent_type: 'Explore' }),
  payload('SessionEnd', { reason: 'prompt_input_exit' }),
];
