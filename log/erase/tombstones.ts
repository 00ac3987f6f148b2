// The tombstones of an open log, read from its `memory.forgotten` events when it is opened and extended by each new
// one. They answer three questions: was this event blanked on purpose, may this new event be stored, and when was
// this id forgotten.
import type { LogEvent } from '../event.ts';
import { pushTo } from '../push-to.ts';
import { actedItems } from './acted-items.ts';
import { withLists } from './blank-events.ts';
import {
  lookupNames,
  mayBeSameUtterance,
  type NamedEvent,
  parseUtterance,
  type Utterance,
  utteranceOf,
} from './forgotten-names.ts';

/** What is known of a forgotten id. */
export interface Forgotten {
  /** When it was forgotten, Unix ms. */
  readonly at: number;
  /** Id of the `memory.forgotten`. */
  readonly event: string;
}

/** The needed fields of a `memory.forgotten`, which may not be written yet. */
export type Forgetting = Pick<LogEvent<'memory.forgotten'>, 'id' | 'body' | 'occurredAt' | 'recordedAt'>;

/** A shorter prefix matches too many ids. */
const PREFIX_CHARS_MIN = 4;

export class Tombstones {
  readonly #events = new Map<string, Forgotten>();
  readonly #items = new Map<string, Forgotten>();
  readonly #names = new Set<string>();
  readonly #utterances = new Map<string, Utterance[]>();
  /** By event id, in order of arrival. */
  readonly #forgettings = new Map<string, Forgetting>();

  get size(): number {
    return this.#events.size;
  }

  /** Returns false when the event was added before. */
  add(event: Forgetting): boolean {
    if (this.#forgettings.has(event.id)) return false;
    this.#forgettings.set(event.id, event);
    this.#note(event);
    return true;
  }

  /** Removes a forgetting that could not be written. Also drops all names added by `addNames` alone. */
  takeBack(id: string): void {
    this.#forgettings.delete(id);
    for (const known of [this.#events, this.#items, this.#names, this.#utterances]) known.clear();
    for (const event of this.#forgettings.values()) this.#note(event);
  }

  #note(event: Forgetting): void {
    const forgotten: Forgotten = { at: event.occurredAt ?? event.recordedAt, event: event.id };
    const { events, names, items } = withLists(event.body);
    for (const { ids } of events) for (const id of ids) this.#events.set(id, forgotten);
    for (const item of items) this.#items.set(item, forgotten);
    this.addNames(names);
  }

  addNames(names: readonly string[]): void {
    for (const name of names) {
      const utterance = parseUtterance(name);
      if (utterance === null) this.#names.add(name);
      else pushTo(this.#utterances, utterance.group, utterance);
    }
  }

  /** Whether this event was forgotten, so that its body must be gone. */
  holds(eventId: string): boolean {
    return this.#events.has(eventId);
  }

  /** The ids of all forgotten events. */
  ids(): Iterable<string> {
    return this.#events.keys();
  }

  /** Whether a new event reports something that was forgotten, or holds a text made from it. */
  covers(newEvent: NamedEvent): boolean {
    if (this.#names.size + this.#utterances.size + this.#events.size === 0) return false;
    if (!isNamed(newEvent) || newEvent.type === 'memory.forgotten') return false;
    if (actedItems(newEvent).some(({ events }) => events.some((id) => this.#events.has(id)))) return true;
    if (shownItems(newEvent).some(({ id }) => this.#items.has(id))) return true;
    if (lookupNames(newEvent).some((name) => this.#names.has(name))) return true;
    const utterance = utteranceOf(newEvent);
    if (utterance === null) return false;
    return (this.#utterances.get(utterance.group) ?? []).some((other) =>
      mayBeSameUtterance(utterance, other),
    );
  }

  /** When an id, or the first forgotten one with this prefix, was forgotten. */
  find(id: string): Forgotten | undefined {
    const exact = this.#items.get(id) ?? this.#events.get(id);
    if (exact !== undefined || id.length < PREFIX_CHARS_MIN) return exact;
    for (const known of [this.#items, this.#events])
      for (const [other, forgotten] of known) if (other.startsWith(id)) return forgotten;
    return undefined;
  }
}

/** The items in a text that a session was given. */
function shownItems({ type, body }: NamedEvent): readonly { readonly id: string }[] {
  const { items } = body;
  return type === 'context.injected' && Array.isArray(items) ? items : [];
}

/** Callers may pass anything. An event without these fields has no names; validation rejects it later. */
function isNamed({
  agent,
  session,
  dedupeKey,
  body,
}: { readonly [field in keyof NamedEvent]?: unknown }): boolean {
  const named = typeof agent === 'string' && typeof dedupeKey === 'string';
  return (
    named && (session === null || typeof session === 'string') && typeof body === 'object' && body !== null
  );
}
