// Names that recognise a later report of a forgotten thing: by another channel, in a fork, after a restore. They
// consist of the agent's own ids, without the session where a copy keeps the ids; where a copy gets new ids, they
// consist of the time and the length of the text. They never contain a text or the hash of a text.
//
//   session <agent> <session>                      every event of this session
//   dedupeKey <agent> <session> <type> <key>       the same dedupe key from another channel
//   tool <agent> <tool use id>                     a tool use, in any session
//   line <agent> <uuid>                            a prompt, an answer or a stop, in any session
//   message <agent> <message id> <block>           an answer, in any session
//   promptId <agent> <prompt id> <channel>         a prompt reported by this other channel
//   import <origin>                              every version of a memory imported from another tool
//   textAt <agent> <prompt|answer> <chars> <at>    a text of the same length at the same time, in any session
//   private <agent> <session> <channel> <prompt id> <uuid> <at>   not looked up: a private prompt that was forgotten. It
//                                                  stays known, so that nothing of its turn is stored later
//   textNear <agent> <session> <prompt|answer> <chars> <channel> <prompt id> <at>   a text of the same length from
//                                                  another channel, within ten minutes
import type { NewEvent } from '../event.ts';
import { originInKey } from '../format/import-origin.ts';

/** The fields of an event that its names are made from. */
export type NamedEvent = Pick<
  NewEvent,
  'type' | 'agent' | 'session' | 'dedupeKey' | 'channel' | 'occurredAt'
> & {
  readonly body: Readonly<Record<string, unknown>>;
};

/** Two reports of the same text are seconds apart; pairing prompts allows ten minutes too. */
export const UTTERANCE_WINDOW_MS = 10 * 60_000;
/** Hooks clip earlier than transcripts, so texts longer than this count as equally long. */
const CHARS_COMPARED_MAX = 7_000;
/** Types with the same dedupe key where one replaces the other. */
const SAME_KEY_TYPES: ReadonlyMap<string, string> = new Map([['tool.unanswered', 'tool.used']]);

export function nameOfSession(agent: string, session: string): string {
  return name('session', agent, session);
}

/** The names to store when this event is forgotten: a later event with one of them reports the same thing. */
export function tombstoneNames(event: NamedEvent): string[] {
  const { agent, session, channel, occurredAt } = event;
  const names = ownNames(event);
  const utterance = textLength(event);
  const promptId = stringOf(event.body.promptId);
  const other = channel === 'hook' ? 'transcript' : 'hook';
  if (event.type === 'prompt.submitted' && promptId !== null)
    names.push(name('promptId', agent, promptId, other));
  if (event.type === 'prompt.submitted' && event.body.private === true)
    names.push(nameOfPrivatePrompt(event));
  if (utterance !== null && session !== null && occurredAt !== null) {
    const { kind, chars } = utterance;
    names.push(
      name('textNear', agent, session, kind, String(chars), other, promptId ?? '', String(occurredAt)),
    );
  }
  return names;
}

/** The names under which a new event would report something forgotten, except `textNear`. */
export function lookupNames(newEvent: NamedEvent): string[] {
  const { agent, session, channel } = newEvent;
  const names = ownNames(newEvent);
  if (session !== null) names.push(nameOfSession(agent, session));
  const sessionAgent = stringOf(newEvent.body.sessionAgent);
  if (session !== null && sessionAgent !== null) names.push(nameOfSession(sessionAgent, session));
  const promptId = stringOf(newEvent.body.promptId);
  // Several prompts may share a promptId. A private one has no text, and must be known.
  const isPrivate = newEvent.body.private === true;
  if (newEvent.type === 'prompt.submitted' && promptId !== null && !isPrivate)
    names.push(name('promptId', agent, promptId, channel));
  return names;
}

/** A private prompt: ids and time, never a text. */
export interface PrivatePrompt {
  readonly agent: string;
  readonly session: string;
  readonly channel: string;
  readonly promptId: string | null;
  /** Of its line in the transcript. */
  readonly uuid: string | null;
  /** Unix ms. */
  readonly at: number | null;
}

export function nameOfPrivatePrompt({ agent, session, channel, occurredAt, body }: NamedEvent): string {
  const ids = [stringOf(body.promptId) ?? '', stringOf(body.uuid) ?? ''];
  return name('private', agent, session ?? '', channel, ...ids, String(occurredAt ?? ''));
}

/** null for any other name. */
export function parsePrivatePrompt(privatePrompt: unknown): PrivatePrompt | null {
  const parts = typeof privatePrompt === 'string' ? privatePrompt.split(' ').map(decoded) : [];
  const [kind, agent, session, channel, promptId, uuid, at] = parts;
  if (parts.length !== 7 || kind !== 'private' || !agent || !session || !channel) return null;
  return {
    agent,
    session,
    channel,
    promptId: promptId || null,
    uuid: uuid || null,
    at: at ? Number(at) : null,
  };
}

/** The parts of a `textNear` name. */
export interface Utterance {
  /** The name without time and prompt id. */
  readonly group: string;
  readonly promptId: string;
  /** Unix ms. */
  readonly at: number;
}

export function utteranceOf(newEvent: NamedEvent): Utterance | null {
  const length = textLength(newEvent);
  const { agent, session, channel, occurredAt: at } = newEvent;
  if (length === null || session === null || at === null) return null;
  const group = name('textNear', agent, session, length.kind, String(length.chars), channel);
  return { group, promptId: stringOf(newEvent.body.promptId) ?? '', at };
}

/** null for any other name, valid or not: an unknown name must not keep the log from opening. */
export function parseUtterance(utterance: unknown): Utterance | null {
  const parts = typeof utterance === 'string' ? utterance.split(' ') : [];
  if (parts.length !== 8 || parts[0] !== 'textNear') return null;
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

/** Whether both may report the same text: close in time, and not with two different prompt ids. */
export function mayBeSameUtterance(one: Utterance, other: Utterance): boolean {
  if (Math.abs(one.at - other.at) > UTTERANCE_WINDOW_MS) return false;
  return one.promptId === '' || other.promptId === '' || one.promptId === other.promptId;
}

/** The names that are the same for storing and for looking up. */
function ownNames(event: NamedEvent): string[] {
  const { type, agent, session, dedupeKey, body, occurredAt } = event;
  const names = [name('dedupeKey', agent, session ?? '', SAME_KEY_TYPES.get(type) ?? type, dedupeKey)];
  const uuid = stringOf(body.uuid);
  if (type === 'tool.used' || type === 'tool.unanswered') names.push(name('tool', agent, dedupeKey));
  else if (type === 'agent.replied') {
    const message = stringOf(body.messageId);
    if (message !== null) names.push(name('message', agent, message, String(body.block ?? 0)));
    else if (uuid !== null) names.push(name('line', agent, dedupeKey));
  } else if (type === 'import.memory') names.push(name('import', originInKey(dedupeKey)));
  else if ((type === 'prompt.submitted' || type === 'agent.stopped') && uuid !== null)
    names.push(name('line', agent, uuid));
  const length = textLength(event);
  if (length !== null && occurredAt !== null)
    names.push(name('textAt', agent, length.kind, String(length.chars), String(occurredAt)));
  return names;
}

const KIND_OF_TEXT: ReadonlyMap<string, string> = new Map([
  ['prompt.submitted', 'prompt'],
  ['agent.replied', 'answer'],
  ['agent.stopped', 'answer'],
]);

/** The length of a prompt or answer, without redaction marks and with white space collapsed. */
function textLength({ type, body }: NamedEvent): { kind: string; chars: number } | null {
  const kind = KIND_OF_TEXT.get(type);
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
