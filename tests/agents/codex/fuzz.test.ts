// Whatever a line or a payload holds, the adapter does not throw and its memory stays small.
import { expect, it } from 'vitest';
import { codex } from '../../../src/agents/codex/index.ts';
import { rolloutFormat } from '../../../src/agents/codex/transcript.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { type Chance, chance } from '../../helpers/chance.ts';
import { THREAD, TURN } from './rollout.ts';

const RUNS = 5_000;
const WORDS = [
  ...['session_meta', 'turn_context', 'response_item', 'event_msg', 'token_usage_record', 'compacted'],
  ...['message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
  ...['local_shell_call', 'tool_search_call', 'web_search_call', 'web_search_end', 'item_completed'],
  ...['user_message', 'agent_message', 'token_count', 'task_started', 'task_complete', 'turn_aborted'],
  ...['patch_apply_end', 'mcp_tool_call_end', 'exec_command_end', 'thread_name_updated'],
  ...['UserMessage', 'AgentMessage', 'Plan', 'CommandExecution', 'FileChange', 'McpToolCall', 'WebSearch'],
  ...['SubAgentActivity', 'DynamicToolCall', 'started', 'failed', 'declined', 'user', 'assistant', 'text'],
  ...[
    'exec_command',
    'write_stdin',
    'apply_patch',
    '{"session_id":1}',
    '{',
    '__proto__',
    'call_1',
    THREAD,
    TURN,
  ],
  ...['Process running with session ID 1\nOutput:\n', 'Exit code: 1\nOutput:\nx', '{"output":"x"}', ''],
  ...['UserPromptSubmit', 'PostToolUse', 'Stop', 'Bash', 'file:///%', '<environment_context>'],
];
const NAMES = [
  ...[
    'timestamp',
    'type',
    'payload',
    'item',
    'id',
    'call_id',
    'turn_id',
    'root_turn_id',
    'name',
    'namespace',
  ],
  ...['arguments', 'input', 'output', 'text', 'content', 'message', 'images', 'role', 'status', 'exit_code'],
  ...[
    'changes',
    'unified_diff',
    'move_path',
    'result',
    'Ok',
    'Err',
    'invocation',
    'server',
    'tool',
    'action',
  ],
  ...['duration', 'secs', 'nanos', 'info', 'usage', 'total_token_usage', 'last_token_usage', 'total_tokens'],
  ...['input_tokens', 'cwd', 'git', 'branch', 'source', 'subagent', 'thread_spawn', 'parent_thread_id'],
  ...['session_id', 'forked_from_id', 'error', 'codex_error_info', 'process', 'agent_id', 'kind'],
  ...['hook_event_name', 'prompt', 'tool_name', 'tool_response', 'tool_input', 'toString', '__proto__'],
];

/** Any JSON value, mostly made of names and words that the adapter looks for. */
function anyValue(random: Chance, depth: number): JsonObject[string] {
  switch (random.below(depth > 2 ? 5 : 9)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
      return [0, 1, -1, 1e300, 0.5, 43_225][random.below(6)]!;
    case 3:
    case 4:
      return pick(random, WORDS);
    case 5:
      return Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1));
    default:
      return anyObject(random, depth + 1);
  }
}

function anyObject(random: Chance, depth = 0): JsonObject {
  const fields = Array.from({ length: random.below(6) }, () => [
    pick(random, NAMES),
    anyValue(random, depth),
  ]);
  // As parsed: an own field `__proto__` is possible.
  return JSON.parse(`{${fields.map((field) => field.map((one) => JSON.stringify(one)).join(':')).join()}}`);
}

function anyLine(random: Chance): JsonObject {
  if (random.below(3) === 0) return anyObject(random);
  const type = pick(random, WORDS);
  const item = { ...anyObject(random), type };
  return { type: WORDS[random.below(6)]!, payload: { ...anyObject(random), type, item } };
}

function pick<T>(random: Chance, list: readonly T[]): T {
  return list[random.below(list.length)]!;
}

it('No line makes the reader of rollouts throw', () => {
  const random = chance(1);
  let memory = rolloutFormat.memory;
  let largest = 0;
  for (let run = 0; run < RUNS; run++) {
    const location = { offset: run * 100, path: '/rollout-1.jsonl' };
    memory = rolloutFormat.records(anyLine(random), memory, location).memory;
    if (run % 100 === 0) largest = Math.max(largest, JSON.stringify(memory).length);
  }
  expect(largest).toBeLessThan(64 * 1024);
});

it('No payload makes the hooks throw', () => {
  const random = chance(2);
  for (let run = 0; run < RUNS; run++) {
    const event = pick(random, ['UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionStart', 'SubagentStop']);
    const payload =
      random.below(2) === 0 ? anyObject(random) : { ...anyObject(random), hook_event_name: event };
    const hook = codex.hooks!.read(payload);
    expect(typeof hook === 'string' ? hook !== '' : hook !== null).toBe(true);
  }
});
