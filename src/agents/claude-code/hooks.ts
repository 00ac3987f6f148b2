// Hooks of Claude Code, whose form is the common one.
import { join } from 'node:path';
import type { AgentHooks, CommonHook, HookEntry } from '../common/agent.ts';
import { type JsonObject, stringOf } from '../common/json-fields.ts';
import { sessionStartAnswer } from '../common/start-answer.ts';
import { acceptedPlan } from './accepted-plan.ts';
import { claudeFolder } from './files.ts';
import { humanWords } from './human-words.ts';

/** Seconds. A capture takes milliseconds; a hanging one (a dead network disk) must not hang the agent. */
const HOOK_SECONDS = 10;

const entry = (event: string, matcher: string | null = null): HookEntry => ({
  event,
  matcher,
  startsSession: event === 'SessionStart',
});

/**
 * Events whose hooks the agent need not wait for: they answer nothing, and the session goes on after them. The prompt hook is
 * waited for, so that its file exists before the model starts; the last hooks of a session because `claude -p` kills those in
 * the background when it ends.
 */
const BACKGROUND_EVENTS: ReadonlySet<string> = new Set(['PostToolUse']);

export const hooks: AgentHooks = {
  read,
  startAnswer: sessionStartAnswer,
  showsMessage: true,
  recallEvents: { prompt: 'UserPromptSubmit', error: 'PostToolUseFailure', edit: 'PreToolUse' },
  contextMax: 10_000,
  settings: {
    kind: 'groups',
    file: (machine) => join(claudeFolder(machine), 'settings.json'),
    entries: [
      entry('SessionStart'),
      entry('UserPromptSubmit'),
      entry('PreToolUse', 'Read|Edit|MultiEdit|Write|NotebookEdit'),
      entry('PostToolUse', '*'),
      entry('PostToolUseFailure', '*'),
      entry('SubagentStop'),
      entry('Stop'),
      entry('StopFailure'),
      entry('SessionEnd'),
    ],
    handler: ({ event }, { shLine, words: [command = '', ...args], windows }) => ({
      type: 'command',
      ...(windows ? { command, args } : { command: shLine }),
      timeout: HOOK_SECONDS,
      ...(BACKGROUND_EVENTS.has(event) ? { async: true } : {}),
    }),
  },
};

/** What a person types has one of these sources, or none. */
const PERSON_SOURCES: ReadonlySet<unknown> = new Set([undefined, null, 'user', 'sdk']);

/** Finds the person's words in a prompt. Programs send prompts too: a finished task, a wake-up. */
function read(payload: JsonObject): CommonHook {
  const sent = stringOf(payload.prompt);
  if (payload.hook_event_name !== 'UserPromptSubmit' || sent === null) return payload;
  const text = PERSON_SOURCES.has(payload.source) ? humanWords(sent, payload.source === 'user').text : null;
  if (text === null) return { ...payload, by_person: false };
  const plan = acceptedPlan(text);
  return { ...payload, prompt: text, by_person: true, accepted_plan: plan === null ? null : { ...plan } };
}
