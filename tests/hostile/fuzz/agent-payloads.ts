// Valid payloads of every agent with hooks but Claude Code, in the agent's own form.
import type { Payload } from '../../helpers/spool.ts';

const cwd = '/home/u/app';

const codex = (event: string, fields: Payload = {}): Payload => ({
  session_id: 's1',
  turn_id: 't1',
  cwd,
  hook_event_name: event,
  transcript_path: '/home/u/.codex/sessions/2026/11/22/rollout-1.jsonl',
  ...fields,
});

const gemini = (event: string, fields: Payload = {}): Payload => ({
  session_id: 's1',
  cwd,
  hook_event_name: event,
  transcript_path: '/home/u/.gemini/tmp/app/chats/session-2026-11-22T18-14-1d8c727f.jsonl',
  timestamp: '2026-11-22T18:14:50.767Z',
  ...fields,
});

const qwen = (event: string, fields: Payload = {}): Payload => ({
  session_id: 's1',
  cwd,
  hook_event_name: event,
  prompt_id: 'p1',
  ...fields,
});

const copilot = (fields: Payload): Payload => ({
  sessionId: 's1',
  timestamp: 1_795_371_313_322,
  cwd,
  ...fields,
});

const cursor = (event: string, fields: Payload = {}): Payload => ({
  conversation_id: 's1',
  generation_id: 'g1',
  hook_event_name: event,
  workspace_roots: [cwd],
  ...fields,
});

const windsurf = (action: string, tool_info: Payload): Payload => ({
  trajectory_id: 's1',
  execution_id: 'e1',
  agent_action_name: action,
  tool_info,
});

const response = { llmContent: [{ text: 'Output: a\nExit Code: 1' }], returnDisplay: 'a' };

export const AGENT_PAYLOADS: readonly (readonly [agent: string, payloads: readonly Payload[]])[] = [
  [
    'codex',
    [
      codex('SessionStart', { source: 'startup', model: 'm' }),
      codex('UserPromptSubmit', { prompt: 'Why?' }),
      codex('PostToolUse', {
        tool_name: 'Bash',
        tool_use_id: 'call_1',
        tool_input: { command: 'ls' },
        tool_response: 'a',
      }),
      codex('PostToolUse', {
        tool_name: 'apply_patch',
        tool_use_id: 'call_2',
        tool_input: { command: '*** Begin Patch\n*** Add File: a\n+a\n*** End Patch' },
        tool_response: 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.',
      }),
      codex('SubagentStop', { agent_id: 'a1', agent_type: 'worker', last_assistant_message: 'Seen.' }),
      codex('Stop', { last_assistant_message: 'Done.', stop_hook_active: false }),
    ],
  ],
  [
    'gemini-cli',
    [
      gemini('SessionStart', { source: 'startup' }),
      gemini('BeforeAgent', { prompt: 'Why?' }),
      gemini('AfterTool', {
        tool_name: 'run_shell_command',
        tool_input: { command: 'ls' },
        tool_response: response,
      }),
      gemini('AfterAgent', { prompt_response: 'Done.' }),
      gemini('SessionEnd', { reason: 'exit' }),
    ],
  ],
  [
    'qwen-code',
    [
      qwen('SessionStart', { source: 'startup', transcript_path: 'chat.jsonl' }),
      qwen('UserPromptSubmit', { prompt: 'Why?' }),
      qwen('UserPromptSubmit', { prompt: '' }),
      qwen('PostToolUse', {
        tool_name: 'run_shell_command',
        tool_call_id: 'call_1',
        tool_use_id: 'own_1',
        tool_input: { command: 'ls' },
        tool_response: response,
      }),
      qwen('PostToolUseFailure', { tool_name: 'read_file', tool_call_id: 'call_2', error: 'no file' }),
      qwen('Stop', { last_assistant_message: 'Done.' }),
    ],
  ],
  [
    'copilot',
    [
      copilot({ source: 'new', initialPrompt: 'Why?' }),
      copilot({ prompt: 'Why?' }),
      copilot({
        toolName: 'bash',
        toolArgs: { command: 'ls' },
        toolResult: {
          resultType: 'success',
          textResultForLlm: 'a\n<shellId: 0 completed with exit code 1>',
        },
      }),
      copilot({ stopReason: 'end_turn', transcriptPath: '/home/u/.copilot/session-state/s1/events.jsonl' }),
      copilot({ reason: 'complete' }),
    ],
  ],
  [
    'cursor',
    [
      cursor('sessionStart'),
      cursor('beforeSubmitPrompt', { prompt: 'Why?' }),
      cursor('postToolUse', {
        tool_name: 'Shell',
        tool_use_id: 'call_1',
        tool_input: '{"command":"ls"}',
        tool_output: '{"exitCode":1}',
      }),
      cursor('afterAgentResponse', { text: 'Done.' }),
      cursor('subagentStop', { subagent_id: 'a1', summary: 'Seen.', parent_conversation_id: 's1' }),
    ],
  ],
  [
    'windsurf',
    [
      windsurf('pre_user_prompt', { user_prompt: 'Why?' }),
      windsurf('post_run_command', { command_line: 'ls', cwd }),
      windsurf('post_mcp_tool_use', {
        mcp_server_name: 'a',
        mcp_tool_name: 'b',
        mcp_tool_arguments: {},
        mcp_result: 'c',
      }),
      windsurf('post_cascade_response', { response: 'Done.' }),
    ],
  ],
];
