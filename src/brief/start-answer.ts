// What the hook of an agent prints when a session starts: the brief for the agent, and for the person a message, where
// the agent shows one.
import { type Json, parseJson } from '../../log/index.ts';
import type { Agent } from '../agents/common/agent.ts';
import { idOf, objectOf, stringOf } from '../agents/common/json-fields.ts';
import { CONTEXT_OCCASIONS, type SessionStartKind } from '../api/context.ts';
import type { Annals, ContextAnswer, ContextOptions } from '../api.ts';

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
export function startedSession(agent: Agent, payload: string): StartedSession | null {
  const parsed = parseJson(payload);
  const sent = 'value' in parsed ? objectOf(parsed.value as Json) : null;
  const hook = sent === null ? null : (agent.hooks?.read(sent) ?? null);
  if (hook === null || typeof hook === 'string' || hook.hook_event_name !== 'SessionStart') return null;
  const cwd = stringOf(hook.cwd) ?? '';
  if (cwd === '') return null;
  const kind = CONTEXT_OCCASIONS.find((one) => one === hook.source) ?? 'startup';
  return { cwd, kind, id: idOf(hook.session_id) };
}

/** Empty when nothing is known. */
export async function answerToStart(
  agent: Agent,
  { cwd, kind, id }: StartedSession,
  annals: Pick<Annals, 'context'>,
): Promise<string> {
  const session = id === null ? {} : { session: id };
  return startAnswer(agent, await annals.context({ cwd, kind, ...session, ...startContext(agent) }));
}

/** How the brief is asked for. */
export function startContext({ hooks }: Agent): ContextOptions {
  return hooks?.showsMessage === true
    ? { form: 'both', width: MESSAGE_WIDTH, color: true }
    : { form: 'agent' };
}

/** In the agent's own form. A text that the agent would cut is left out. */
export function startAnswer(
  { hooks }: Agent,
  { text, personText = '', pausedBecause }: ContextAnswer,
): string {
  if (hooks === null) return '';
  const paused = pausedBecause === null ? '' : `Annals keeps nothing: config.json ${pausedBecause}.\n`;
  const message =
    hooks.showsMessage === true ? clippedMessage(`${paused}${text === '' ? '' : personText}`) : '';
  const whole = Buffer.byteLength(text) <= hooks.contextMax ? text : '';
  return whole === '' && message === '' ? '' : hooks.startAnswer(whole, message);
}

function clippedMessage(text: string): string {
  if (text.length <= MESSAGE_CHARS_MAX) return text;
  return `${text.slice(0, text.lastIndexOf('\n', MESSAGE_CHARS_MAX))}\n`;
}
