// Hooks of Codex: Claude Code's events, with a `turn_id` for the turn. Payloads of 0.169.0. A turn that fails or is
// interrupted fires no Stop.
import { join } from 'node:path';
import type { AgentHooks, CommonHook, HookEntry } from '../common/agent.ts';
import { idOf, type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import { sessionStartAnswer } from '../common/start-answer.ts';
import { codexFolder } from './files.ts';
import { outputOf } from './output-text.ts';
import { personText } from './person-text.ts';

const TIMEOUT_SECONDS = 10;
/** The most that Codex waits at the end of a session. */
const END_TIMEOUT_SECONDS = 3;

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'SubagentStop', 'Stop', 'SessionEnd'];
const ENTRIES: readonly HookEntry[] = EVENTS.map((event) => ({
  event,
  matcher: null,
  startsSession: event === 'SessionStart',
}));

export const hooks: AgentHooks = {
  read(payload) {
    switch (payload.hook_event_name) {
      case 'UserPromptSubmit':
        return readPrompt(payload);
      case 'PostToolUse':
        return readTool(payload);
      default:
        return common(payload);
    }
  },
  startAnswer: sessionStartAnswer,
  recallEvents: { prompt: 'UserPromptSubmit' },
  // 2,500 tokens of four bytes; of a longer text the middle is cut out.
  contextMax: 10_000,
  settings: {
    kind: 'groups',
    file: (machine) => join(codexFolder(machine), 'hooks.json'),
    entries: ENTRIES,
    // Never `async`: versions before it skip such a hook without a word.
    handler: ({ event }, { line, words, windows }) => ({
      type: 'command',
      command: windows ? words.map((word) => `"${word}"`).join(' ') : line,
      timeout: event === 'SessionEnd' ? END_TIMEOUT_SECONDS : TIMEOUT_SECONDS,
    }),
    afterInstall: 'Start Codex, type /hooks and trust the hooks of Annals: Codex runs no hook before that.',
  },
};

/** The turn of a sub-agent is its own; which turn of the main session launched it is in its rollout. */
function common(payload: JsonObject): CommonHook {
  const { turn_id = null, ...fields } = payload;
  return { ...fields, prompt_id: idOf(payload.agent_id) === null ? turn_id : null };
}

function readPrompt(payload: JsonObject): CommonHook | string {
  if (idOf(payload.agent_id) !== null) return 'prompt of a sub-agent';
  const person = personText(stringOf(payload.prompt) ?? '');
  return 'ignored' in person ? person.ignored : { ...common(payload), prompt: person.text };
}

/** The response to a command is what it printed, without its exit code: only the rollout has that. */
function readTool(payload: JsonObject): CommonHook {
  const hook = common(payload);
  if (payload.tool_name === 'Bash') return { ...hook, outcome_unknown: true };
  const response = payload.tool_response;
  const { outcome } = outputOf(typeof response === 'string' ? response : null);
  if (outcome === null || outcome === 'ok')
    return objectOf(response)?.isError === true ? failed(hook, false) : hook;
  return failed(hook, outcome === 'cancelled');
}

function failed(hook: CommonHook, cancelled: boolean): CommonHook {
  const response = hook.tool_response;
  return {
    ...hook,
    hook_event_name: 'PostToolUseFailure',
    error: typeof response === 'string' ? response : null,
    is_interrupt: cancelled,
  };
}
