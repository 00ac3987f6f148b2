// What was forgotten, as the log knows it while it is open: read at opening from the `memory.forgotten` events
// themselves, and added to by each new one. It answers three questions: is this event blanked on purpose, may
// this telling be taken, and what became of this id.
import type { LogEvent } from '../event.ts';
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
  /** The `memory.forgotten` that says so. */
  readonly event: string;
}

/** What is needed of a `memory.forgotten`, written or not yet. */
export type Forgetting = Pick<LogEvent<'memory.forgotten'>, 'id' | 'body' | 'occurredAt' | 'recordedAt'>;

/** Below this an id's beginning fits too much. */
const PREFIX_CHARS_MIN = 4;

export class Tombstones {
  readonly #events = new Map<string, Forgotten>();
  readonly #items = new Map<string, Forgotten>();
  readonly #names = new Set<string>();
  readonly #utterance = new Map<string, Utterance[]>();
  /** By id of the event, in the order in which they came. */
  readonly #forgettings = new Map<string, Forgetting>();

  get size(): number {
    return this.#events.size;
  }

  /** False when it was known. */
  add(event: Forgetting): boolean {
    if (this.#forgettings.has(event.id)) return false;
    this.#forgettings.set(event.id, event);
    this.#note(event);
    return true;
  }

  /** Takes back what was added before it was written, and could not be written. Names that were added alone go too. */
  takeBack(id: string): void {
    this.#forgettings.delete(id);
    for (const known of [this.#events, this.#items, this.#names, this.#utterance]) known.clear();
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
      else this.#utterance.set(utterance.group, [...(this.#utterance.get(utterance.group) ?? []), utterance]);
    }
  }

  /** Whether this event was forgotten, so that its body has to be gone. */
  holds(eventId: string): boolean {
    return this.#events.has(eventId);
  }

  /** Of every event that was forgotten. */
  ids(): Iterable<string> {
    return this.#events.keys();
  }

  /** Whether a telling tells something forgotten once more. */
  covers(newEvent: NamedEvent): boolean {
    if (this.#names.size === 0 && this.#utterance.size === 0) return false;
    if (!isNamed(newEvent) || newEvent.type === 'memory.forgotten') return false;
    if (lookupNames(newEvent).some((name) => this.#names.has(name))) return true;
    const utterance = utteranceOf(newEvent);
    if (utterance === null) return false;
    return (this.#utterance.get(utterance.group) ?? []).some((other) => mayBeSameUtterance(utterance, other));
  }

  /** What is known of an id, or of the only forgotten one that begins so. */
  find(id: string): Forgotten | undefined {
    const exact = this.#items.get(id) ?? this.#events.get(id);
    if (exact !== undefined || id.length < PREFIX_CHARS_MIN) return exact;
    for (const known of [this.#items, this.#events])
      for (const [other, forgotten] of known) if (other.startsWith(id)) return forgotten;
    return undefined;
  }
}

/** Whoever calls may hand in anything; what has no names is refused for that, elsewhere. */
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
