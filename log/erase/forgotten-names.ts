// Under which names a thing might be told again: by another witness, in a fork, after a restore. They are the
// agent's own ids, without the session where a copy keeps them, and, where a copy gets new ids, the time and the
// number of characters that were said. No text and no hash of a text is among them.
//
//   session <agent> <session>                 everything that is ever told of this session
//   fact <agent> <session> <type> <fact>      the same fact by another witness
//   tool <agent> <tool use id>                a tool use, in any session
//   line <agent> <uuid>                       a prompt, an answer or a stop, in any session
//   message <agent> <message id> <block>      an answer, in any session
//   asked <agent> <prompt id> <witness>       a prompt that this other witness tells
//   said <agent> <prompt|answer> <chars> <at> the same words at the same moment, in any session
//   heard <agent> <session> <prompt|answer> <chars> <witness> <prompt id> <at>   the same words from another
//                                             witness, within ten minutes
import type { NewEvent } from '../event.ts';

/** As much of an event as its names need. */
export type NamedEvent = Pick<
  NewEvent,
  'type' | 'agent' | 'session' | 'dedupeKey' | 'channel' | 'occurredAt'
> & {
  readonly body: Readonly<Record<string, unknown>>;
};

/** Two tellings of the same words are seconds apart; ten minutes are what pairing prompts allows too. */
export const UTTERANCE_WINDOW_MS = 10 * 60_000;
/** Hooks clip earlier than transcripts: beyond this, long is long. */
const CHARS_COMPARED_MAX = 7_000;
/** Tellings of one fact that replace one another. */
const SAME_KEY_TYPES: ReadonlyMap<string, string> = new Map([['tool.unanswered', 'tool.used']]);

export function nameOfSession(agent: string, session: string): string {
  return name('session', agent, session);
}

/** The names to keep when this is forgotten: whoever tells one of them tells the same thing. */
export function tombstoneNames(event: NamedEvent): string[] {
  const { agent, session, channel, occurredAt } = event;
  const names = ownNames(event);
  const words = wordsOf(event);
  const promptId = stringOf(event.body.promptId);
  const other = channel === 'hook' ? 'transcript' : 'hook';
  if (event.type === 'prompt.submitted' && promptId !== null)
    names.push(name('asked', agent, promptId, other));
  if (words !== null && session !== null && occurredAt !== null) {
    const { kind, chars } = words;
    names.push(name('heard', agent, session, kind, String(chars), other, promptId ?? '', String(occurredAt)));
  }
  return names;
}

/** The names by which a telling would be one of something forgotten, but for `heard`. */
export function lookupNames(newEvent: NamedEvent): string[] {
  const { agent, session, channel } = newEvent;
  const names = ownNames(newEvent);
  if (session !== null) names.push(nameOfSession(agent, session));
  const promptId = stringOf(newEvent.body.promptId);
  if (newEvent.type === 'prompt.submitted' && promptId !== null)
    names.push(name('asked', agent, promptId, channel));
  return names;
}

/** Words that somebody heard, as `heard` names them. */
export interface Utterance {
  /** Of everything but the time and the prompt. */
  readonly group: string;
  readonly promptId: string;
  /** Unix ms. */
  readonly at: number;
}

export function utteranceOf(newEvent: NamedEvent): Utterance | null {
  const words = wordsOf(newEvent);
  const { agent, session, channel, occurredAt: at } = newEvent;
  if (words === null || session === null || at === null) return null;
  const group = name('heard', agent, session, words.kind, String(words.chars), channel);
  return { group, promptId: stringOf(newEvent.body.promptId) ?? '', at };
}

/** null for any other name, also for what was never one of ours: opening a log must not depend on it. */
export function parseUtterance(utterance: unknown): Utterance | null {
  const parts = typeof utterance === 'string' ? utterance.split(' ') : [];
  if (parts.length !== 8 || parts[0] !== 'heard') return null;
  const promptId = decoded(parts[6]!);
  if (promptId === null) return null;
  return { group: parts.slice(0, 6).join(' '), promptId, at: Number(parts[7]) };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Whether one may be the other: not when both name a prompt and it is not the same. */
export function mayBeSameUtterance(one: Utterance, other: Utterance): boolean {
  if (Math.abs(one.at - other.at) > UTTERANCE_WINDOW_MS) return false;
  return one.promptId === '' || other.promptId === '' || one.promptId === other.promptId;
}

/** Names that stay the same whoever asks. */
function ownNames(event: NamedEvent): string[] {
  const { type, agent, session, dedupeKey, body, occurredAt } = event;
  const names = [name('fact', agent, session ?? '', SAME_KEY_TYPES.get(type) ?? type, dedupeKey)];
  const uuid = stringOf(body.uuid);
  if (type === 'tool.used' || type === 'tool.unanswered') names.push(name('tool', agent, dedupeKey));
  else if (type === 'agent.replied') {
    const message = stringOf(body.messageId);
    if (message !== null) names.push(name('message', agent, message, String(body.block ?? 0)));
    else if (uuid !== null) names.push(name('line', agent, dedupeKey));
  } else if ((type === 'prompt.submitted' || type === 'agent.stopped') && uuid !== null)
    names.push(name('line', agent, uuid));
  const words = wordsOf(event);
  if (words !== null && occurredAt !== null)
    names.push(name('said', agent, words.kind, String(words.chars), String(occurredAt)));
  return names;
}

const SPOKEN: ReadonlyMap<string, string> = new Map([
  ['prompt.submitted', 'prompt'],
  ['agent.replied', 'answer'],
  ['agent.stopped', 'answer'],
]);

/** How much was said, without redaction marks and however white space stands. */
function wordsOf({ type, body }: NamedEvent): { kind: string; chars: number } | null {
  const kind = SPOKEN.get(type);
  const text = stringOf(body.text);
  if (kind === undefined || text === null) return null;
  const plain = text
    .replace(/\[redacted:[a-z0-9-]+\]/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain === '' ? null : { kind, chars: Math.min(plain.length, CHARS_COMPARED_MAX) };
}

function name(...parts: readonly string[]): string {
  return parts.map((part) => encodeURIComponent(part.toWellFormed())).join(' ');
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
