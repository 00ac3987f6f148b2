// Hooks of Qwen Code 0.24.4, in Claude Code's form. No event says that the session ends.
import { isAbsolute, join } from 'node:path';
import type { AgentHooks, CommonHook, HookEntry } from '../common/agent.ts';
import { partsOf, textsOf } from '../common/gemini-parts.ts';
import { idOf, type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import { sessionStartAnswer } from '../common/start-answer.ts';
import { qwenFolder } from './files.ts';
import { judged } from './tool-outcome.ts';

/** Seconds. The program waits for a hook. */
const TIMEOUT_SECONDS = 10;

const ENTRIES: readonly HookEntry[] = [
  { event: 'SessionStart', matcher: null, startsSession: true },
  ...['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SubagentStop'].map((event) => ({
    event,
    matcher: null,
    startsSession: false,
  })),
];

export const hooks: AgentHooks = {
  read(payload) {
    const common = withoutTurn(payload);
    const prompt = stringOf(payload.prompt) ?? '';
    switch (payload.hook_event_name) {
      case 'UserPromptSubmit':
        // Fired again for every further request of a turn, then without a prompt.
        if (prompt.trim() === '') return 'a further request of a turn';
        return prompt.trimStart().startsWith('<task-notification>') ? 'task note' : common;
      case 'PostToolUse':
      case 'PostToolUseFailure':
        return toolUse(payload, common);
      default:
        return common;
    }
  },
  startAnswer: sessionStartAnswer,
  // No limit is documented; this many arrived whole.
  contextMax: 30_000,
  settings: {
    kind: 'groups',
    file: (machine) => join(qwenFolder(machine), 'settings.json'),
    entries: ENTRIES,
    handler: (_entry, { line, words, windows }) => ({
      type: 'command',
      command: windows ? words.map((word) => `"${word}"`).join(' ') : line,
      timeout: TIMEOUT_SECONDS,
    }),
  },
};

/** `prompt_id` is in no line of the transcript. At start-up, the path is only a name. */
function withoutTurn({ prompt_id: _turn, transcript_path: path, ...fields }: JsonObject): JsonObject {
  return { ...fields, transcript_path: typeof path === 'string' && isAbsolute(path) ? path : null };
}

/** `tool_use_id` is the hook's own; the transcript knows the model's id. */
function toolUse(payload: JsonObject, common: JsonObject): CommonHook {
  const { tool_call_id, tool_response: _response, ...fields } = common;
  const response = objectOf(payload.tool_response);
  const isFailure = payload.hook_event_name === 'PostToolUseFailure';
  const name = stringOf(payload.tool_name) ?? '';
  const said = isFailure ? (stringOf(payload.error) ?? '') : textsOf(partsOf(response?.llmContent)).join('');
  const { outcome, text } = judged(name, isFailure ? 'error' : 'success', said, response?.returnDisplay);
  return {
    ...fields,
    tool_use_id: idOf(tool_call_id),
    hook_event_name: outcome === 'ok' ? 'PostToolUse' : 'PostToolUseFailure',
    ...(outcome === 'ok' ? { tool_response: text } : { error: text }),
    ...(outcome === 'cancelled' ? { is_interrupt: true } : {}),
  };
}
