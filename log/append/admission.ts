// Runs before the append queue: checks new events, rejects those that report something forgotten, and writes each
// `memory.forgotten` in a batch of its own, together with the records it blanks.

import type { blankingOf } from '../erase/blank-events.ts';
import type { Tombstones } from '../erase/tombstones.ts';
import type { AppendOutcome, LogEvent, NewEvent } from '../event.ts';
import type { Log } from '../log.ts';
import type { AppendQueue } from './append-queue.ts';
import type { CheckedEvent } from './new-event.ts';

type NewEvents = Parameters<Log['append']>[0];
type Options = Parameters<Log['append']>[1];

export interface AdmissionParts {
  readonly queue: AppendQueue;
  readonly tombstones: Tombstones;
  /** Unix ms. */
  now(): number;
  /** The writes that blank the bodies of these events. */
  blankingOf(ids: readonly string[]): ReturnType<typeof blankingOf>;
}

export class Admission {
  readonly #parts: AdmissionParts;
  /** The catalogue's schemas, loaded by the first append: a command that only reads never loads them. */
  #schemas: Promise<typeof import('./new-event.ts')> | null = null;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  async append(newEvents: NewEvents, options: Options): Promise<readonly AppendOutcome[]> {
    this.#schemas ??= import('./new-event.ts');
    // Every call awaits the same promise, even when it is already resolved, so calls are admitted in order.
    const { checkNewEvents } = await this.#schemas;
    return this.#admit(checkNewEvents(newEvents), options);
  }

  async #admit(checked: readonly CheckedEvent[], options: Options = {}): Promise<readonly AppendOutcome[]> {
    const forgetting = checked.findIndex(({ newEvent }) => newEvent.type === 'memory.forgotten');
    if (forgetting !== -1) return this.#admitAround(forgetting, checked, options);
    const covered = checked.map(({ newEvent }) => this.#parts.tombstones.covers(newEvent));
    if (!covered.includes(true)) return this.#parts.queue.append(checked, options);
    const kept = checked.filter((_, index) => !covered[index]);
    const outcomes = [...(await this.#parts.queue.append(kept, options))];
    return checked.map(({ id }, index): AppendOutcome => {
      if (!covered[index]) return outcomes.shift()!;
      return { outcome: 'forgotten', id, position: 0 };
    });
  }

  /** Writes the events before a forgetting first, then the forgetting in a batch of its own, then the rest. */
  async #admitAround(
    at: number,
    checked: readonly CheckedEvent[],
    options: Options = {},
  ): Promise<readonly AppendOutcome[]> {
    const forgetting = checked[at]!;
    const { occurredAt } = forgetting.newEvent as NewEvent<'memory.forgotten'>;
    const body = JSON.parse(forgetting.json) as LogEvent<'memory.forgotten'>['body'];
    const rest = checked.slice(at + 1);
    const queued = at === 0 ? [] : this.#admit(checked.slice(0, at));
    // Add the tombstone before the first await; later events would otherwise be stored with their body.
    const recordedAt = this.#parts.now();
    const isNew = this.#parts.tombstones.add({ id: forgetting.id, body, occurredAt, recordedAt });
    let before: readonly AppendOutcome[];
    let own: readonly AppendOutcome[];
    try {
      before = await queued;
      const raw = await this.#parts.blankingOf(body.events.flatMap((one) => one.ids));
      own = await this.#parts.queue.append([forgetting], rest.length === 0 ? options : {}, raw);
    } catch (error) {
      if (isNew) this.#parts.tombstones.takeBack(forgetting.id);
      throw error;
    }
    const after = rest.length === 0 ? [] : await this.#admit(rest, options);
    return [...before, ...own, ...after];
  }
}
