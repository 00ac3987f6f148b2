// What the hook of an agent prints when a session starts: the brief for the agent, and for the person a message, where
// the agent shows one.
import { type Json, parseJson } from '../../log/index.ts';
import type { AgentHooks } from '../agents/common/agent.ts';
import { idOf, objectOf, stringOf } from '../agents/common/json-fields.ts';
import { CONTEXT_OCCASIONS, type SessionStartKind } from '../api/context.ts';
import type { Annals, ContextAnswer, ContextOptions, Injection } from '../api.ts';
import { now } from '../platform/clock.ts';

/** Cells. Claude Code prints the message in a frame of its own. */
const MESSAGE_WIDTH = 96;
/** Claude Code caps each text at 10,000 characters and writes longer ones into a file. */
const MESSAGE_CHARS_MAX = 9_000;

/** The start of a session, as an agent's hook reports it. */
export interface StartedSession {
  readonly cwd: string;
  readonly kind: SessionStartKind;
  readonly id: string | null;
}

/** Null for a payload that was torn, names no folder or reports something else: a wrong answer is worse than none. */
export function startedSession(hooks: AgentHooks, payload: string): StartedSession | null {
  const parsed = parseJson(payload);
  const sent = 'value' in parsed ? objectOf(parsed.value as Json) : null;
  const hook = sent === null ? null : hooks.read(sent);
  if (hook === null || typeof hook === 'string' || hook.hook_event_name !== 'SessionStart') return null;
  const cwd = stringOf(hook.cwd) ?? '';
  if (cwd === '') return null;
  const kind = CONTEXT_OCCASIONS.find((one) => one === hook.source) ?? 'startup';
  return { cwd, kind, id: idOf(hook.session_id) };
}

/** What the hook prints, empty when there is nothing to tell, and what to record once it is printed. */
export interface StartAnswer {
  readonly output: string;
  readonly injection: Injection | null;
}

export async function answerToStart(
  { name, hooks }: { readonly name: string; readonly hooks: AgentHooks },
  { cwd, kind, id }: StartedSession,
  annals: Pick<Annals, 'context'>,
): Promise<StartAnswer> {
  const session = id === null ? {} : { session: id, isStarting: true };
  const begun = now();
  const context = await annals.context({ cwd, kind, ...session, ...startContext(hooks) });
  const output = startAnswer(hooks, context);
  const text = givenText(hooks, context);
  if (text === '') return { output, injection: null };
  const durationMs = now() - begun;
  const { items } = context;
  return {
    output,
    injection: { agent: name, session: id, occasion: kind, cwd, text, items, durationMs },
  };
}

/** How the brief is asked for. */
export function startContext(hooks: AgentHooks): ContextOptions {
  return hooks.showsMessage === true
    ? { form: 'both', width: MESSAGE_WIDTH, color: true }
    : { form: 'agent' };
}

/** A text that the agent would cut is left out. */
export function givenText({ contextMax }: AgentHooks, { text }: ContextAnswer): string {
  return Buffer.byteLength(text) <= contextMax ? text : '';
}

/** In the agent's own form. */
export function startAnswer(hooks: AgentHooks, context: ContextAnswer): string {
  const { text, personText = '', pausedBecause } = context;
  const paused = pausedBecause === null ? '' : `Annals keeps nothing: ${pausedBecause}.\n`;
  const message =
    hooks.showsMessage === true ? clippedMessage(`${paused}${text === '' ? '' : personText}`) : '';
  const whole = givenText(hooks, context);
  return whole === '' && message === '' ? '' : hooks.startAnswer(whole, message);
}

function clippedMessage(text: string): string {
  if (text.length <= MESSAGE_CHARS_MAX) return text;
  return `${text.slice(0, text.lastIndexOf('\n', MESSAGE_CHARS_MAX))}\n`;
}
