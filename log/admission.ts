// What stands before the append queue: tellings are checked, those of what was forgotten are turned away, and a
// forgetting is written in a batch of its own, with the bodies that it blanks.
import type { AppendQueue } from './append.ts';
import type { AppendOutcome, LogEvent, Telling } from './event.ts';
import type { blankingOf } from './forget.ts';
import type { Log } from './log.ts';
import type { CheckedTelling } from './telling.ts';
import type { Tombstones } from './tombstones.ts';

type Tellings = Parameters<Log['append']>[0];
type Options = Parameters<Log['append']>[1];

export interface AdmissionParts {
  readonly queue: AppendQueue;
  readonly tombstones: Tombstones;
  /** Unix ms. */
  now(): number;
  /** What blanks the bodies of these events. */
  blankingOf(ids: readonly string[]): ReturnType<typeof blankingOf>;
}

export class Admission {
  readonly #parts: AdmissionParts;
  /** The catalogue's schemas, loaded by the first append: a command that only reads never waits for them. */
  #schemas: Promise<typeof import('./telling.ts')> | null = null;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  async append(tellings: Tellings, options: Options): Promise<readonly AppendOutcome[]> {
    this.#schemas ??= import('./telling.ts');
    // Every call waits for the same promise, also when it is long fulfilled: so they are admitted in their order.
    const { checkTellings } = await this.#schemas;
    return this.#admit(checkTellings(tellings), options);
  }

  /** Waits until every call that was made before has its place in the queue. */
  async admitted(): Promise<void> {
    await this.#schemas?.catch(() => {});
  }

  async #admit(checked: readonly CheckedTelling[], options: Options = {}): Promise<readonly AppendOutcome[]> {
    const forgetting = checked.findIndex(({ telling }) => telling.type === 'memory.forgotten');
    if (forgetting !== -1) return this.#admitAround(forgetting, checked, options);
    const covered = checked.map(({ telling }) => this.#parts.tombstones.covers(telling));
    if (!covered.includes(true)) return this.#parts.queue.append(checked, options);
    const kept = checked.filter((_, index) => !covered[index]);
    const outcomes = [...(await this.#parts.queue.append(kept, options))];
    return checked.map(({ id }, index): AppendOutcome => {
      if (!covered[index]) return outcomes.shift()!;
      return { outcome: 'forgotten', id, position: 0 };
    });
  }

  /** What stands before a forgetting is written first, then it in a batch of its own, then the rest. */
  async #admitAround(
    at: number,
    checked: readonly CheckedTelling[],
    options: Options = {},
  ): Promise<readonly AppendOutcome[]> {
    const forgetting = checked[at]!;
    const { occurredAt } = forgetting.telling as Telling<'memory.forgotten'>;
    const body = JSON.parse(forgetting.json) as LogEvent<'memory.forgotten'>['body'];
    const rest = checked.slice(at + 1);
    const queued = at === 0 ? [] : this.#admit(checked.slice(0, at));
    // Before anything is waited for: what is told from here on would stand behind it, whole.
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
