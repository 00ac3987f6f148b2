// Hooks of Claude Code, whose form is the common one.
import type { CommonHook } from '../common/agent.ts';
import { type JsonObject, stringOf } from '../common/json-fields.ts';
import { acceptedPlan } from './accepted-plan.ts';
import { humanWords } from './human-words.ts';

/** What a person types has one of these sources, or none. */
const PERSON_SOURCES: ReadonlySet<unknown> = new Set([undefined, null, 'user', 'sdk']);

/** Finds the person's words in a prompt. Programs send prompts too: a finished task, a wake-up. */
export function readHook(payload: JsonObject): CommonHook {
  const sent = stringOf(payload.prompt);
  if (payload.hook_event_name !== 'UserPromptSubmit' || sent === null) return payload;
  const text = PERSON_SOURCES.has(payload.source) ? humanWords(sent).text : null;
  if (text === null) return { ...payload, by_person: false };
  const plan = acceptedPlan(text);
  return { ...payload, prompt: text, by_person: true, accepted_plan: plan === null ? null : { ...plan } };
}
