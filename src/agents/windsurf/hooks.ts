// Hooks of Windsurf. They tell no start and no end of a session, no ids and no outcome of a tool, and nothing that a hook
// prints reaches the model.
import { join } from 'node:path';
import type { AgentHooks, CommonHook, HookEntry } from '../common/agent.ts';
import { idOf, type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import { windsurfFolder } from './files.ts';

export const hooks: AgentHooks = {
  read,
  startAnswer: () => '',
  contextMax: 0,
  settings: {
    kind: 'flat',
    file: (machine) => join(windsurfFolder(machine), 'hooks.json'),
    entries: [
      'pre_user_prompt',
      'post_read_code',
      'post_write_code',
      'post_run_command',
      'post_mcp_tool_use',
      'post_cascade_response',
    ].map((event): HookEntry => ({ event, matcher: null, startsSession: false })),
    handler: (_entry, { line, words, windows }) => ({
      ...(windows
        ? { powershell: `& ${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(' ')}` }
        : { command: line }),
      show_output: false,
    }),
  },
};

const TOOLS: ReadonlyMap<string, string> = new Map([
  ['post_read_code', 'read_code'],
  ['post_write_code', 'write_code'],
  ['post_run_command', 'run_command'],
]);

function read(payload: JsonObject): CommonHook | string {
  const action = stringOf(payload.agent_action_name) ?? '';
  const session = idOf(payload.trajectory_id);
  if (session === null) return 'no session id';
  const info = objectOf(payload.tool_info) ?? {};
  const cwd = stringOf(info.cwd);
  const common = {
    session_id: session,
    prompt_id: idOf(payload.execution_id),
    ...(cwd === null ? {} : { cwd }),
  };
  if (action === 'pre_user_prompt') {
    const prompt = stringOf(info.user_prompt) ?? '';
    return prompt.trim() === ''
      ? 'prompt without text'
      : { ...common, hook_event_name: 'UserPromptSubmit', prompt };
  }
  if (action === 'post_cascade_response') {
    const text = stringOf(info.response);
    return text === null
      ? 'stop without an answer'
      : { ...common, hook_event_name: 'Stop', last_assistant_message: text };
  }
  if (action === 'post_mcp_tool_use')
    return {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name: `mcp__${stringOf(info.mcp_server_name) ?? ''}__${stringOf(info.mcp_tool_name) ?? ''}`,
      tool_input: info.mcp_tool_arguments ?? null,
      tool_response: info.mcp_result ?? null,
    };
  const tool = TOOLS.get(action);
  return tool === undefined
    ? 'unknown event'
    : { ...common, hook_event_name: 'PostToolUse', tool_name: tool, tool_input: info, tool_response: null };
}
