// Hooks of Cursor.
import { join } from 'node:path';
import { parseJson } from '../../../log/index.ts';
import type { AgentHooks, CommonHook, HookEntry } from '../common/agent.ts';
import { idOf, type JsonObject, listOf, objectOf, stringOf } from '../common/json-fields.ts';
import { cursorFolder } from './files.ts';

export const hooks: AgentHooks = {
  read,
  startAnswer: (text) => `${JSON.stringify({ additional_context: text })}\n`,
  contextMax: 10_000,
  settings: {
    kind: 'flat',
    file: (machine) => join(cursorFolder(machine), 'hooks.json'),
    // Only documented names: an unknown one may make Cursor refuse the whole file.
    entries: [
      'sessionStart',
      'sessionEnd',
      'beforeSubmitPrompt',
      'postToolUse',
      'postToolUseFailure',
      'afterAgentResponse',
      'subagentStop',
    ].map((event): HookEntry => ({ event, matcher: null, startsSession: event === 'sessionStart' })),
    required: { version: 1 },
    handler: (_entry, { line, words, windows }) => ({
      type: 'command',
      command: windows ? words.map((word) => `"${word}"`).join(' ') : line,
      timeout: 10,
    }),
  },
};

const EVENTS: ReadonlyMap<string, string> = new Map([
  ['sessionStart', 'SessionStart'],
  ['sessionEnd', 'SessionEnd'],
  ['beforeSubmitPrompt', 'UserPromptSubmit'],
  ['postToolUse', 'PostToolUse'],
  ['postToolUseFailure', 'PostToolUseFailure'],
  ['afterAgentResponse', 'Stop'],
  ['subagentStop', 'SubagentStop'],
]);

/** Never reads `user_email`. */
function read(payload: JsonObject): CommonHook | string {
  const name = stringOf(payload.hook_event_name) ?? '';
  const event = EVENTS.get(name) ?? ([...EVENTS.values()].includes(name) ? name : null);
  if (event === null) return 'unknown event';
  const own = idOf(payload.conversation_id) ?? idOf(payload.session_id);
  // A sub-agent's events belong to the conversation that launched it.
  const session = event === 'SubagentStop' ? (idOf(payload.parent_conversation_id) ?? own) : own;
  if (session === null) return 'no session id';
  const folders = listOf(payload.workspace_roots);
  // An empty text where a tool has no folder of its own.
  const cwd = stringOf(payload.cwd) || stringOf(folders[0]);
  const common = {
    hook_event_name: event,
    session_id: session,
    ...(cwd === null ? {} : { cwd, workspace_folders: folders }),
    prompt_id: idOf(payload.generation_id),
    model: idOf(payload.model),
  };
  switch (event) {
    case 'SessionStart':
      return { ...common, source: 'startup' };
    case 'SessionEnd':
      return { ...common, reason: payload.reason ?? null };
    case 'UserPromptSubmit': {
      const prompt = stringOf(payload.prompt) ?? '';
      return prompt.trim() === '' ? 'prompt without text' : { ...common, prompt };
    }
    case 'Stop': {
      const text = stringOf(payload.text);
      return text === null ? 'stop without an answer' : { ...common, last_assistant_message: text };
    }
    case 'SubagentStop':
      return {
        ...common,
        agent_id: idOf(payload.subagent_id),
        agent_type: idOf(payload.subagent_type),
        last_assistant_message: stringOf(payload.summary),
      };
    default:
      return { ...common, ...toolOf(payload, event) };
  }
}

function toolOf(payload: JsonObject, event: string): JsonObject {
  const output = parsed(payload.tool_output ?? payload.tool_response ?? null);
  const said = objectOf(output);
  const exitCode = said?.exitCode ?? said?.exit_code;
  const failed = event === 'PostToolUse' && typeof exitCode === 'number' && exitCode !== 0;
  return {
    ...(failed ? { hook_event_name: 'PostToolUseFailure' } : {}),
    tool_name: stringOf(payload.tool_name) ?? '',
    tool_use_id: idOf(payload.tool_use_id),
    tool_input: parsed(payload.tool_input ?? null),
    tool_response: output,
    ...(failed ? { error: `exit code ${exitCode}` } : {}),
    ...(event === 'PostToolUseFailure'
      ? {
          error: stringOf(payload.error_message) ?? stringOf(payload.error) ?? 'unknown',
          is_interrupt: payload.is_interrupt === true || payload.failure_type === 'permission_denied',
        }
      : {}),
    duration_ms: payload.duration ?? null,
  };
}

/** The output of a tool is JSON in a string. */
function parsed(value: JsonObject[string]): JsonObject[string] {
  if (typeof value !== 'string') return value;
  const result = parseJson(value);
  return 'value' in result ? (result.value as JsonObject[string]) : value;
}
