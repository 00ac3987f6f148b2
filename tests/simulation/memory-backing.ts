// One LevelDB in memory. It keeps an image for every batch that is not synced yet, so that a power cut can bring
// any of them back.
import { MemoryLevel } from 'memory-level';
import type { Chance } from '../helpers/chance.ts';
import { type Backing, type Encoding, lastPosition } from './backing.ts';

/** Synced states of the log that a damaged write-ahead file may fall back to. */
const TAIL_STATES_MAX = 6;

type Snapshot = ReturnType<MemoryLevel['snapshot']>;

export class MemoryBacking implements Backing {
  readonly #encoding: Encoding;
  store: MemoryLevel<unknown, unknown>;
  /** The synced state, then one for each batch behind it. */
  #images: Snapshot[] = [];
  /** Synced states, oldest first. */
  #synced: Snapshot[] = [];
  #whatHoldsAfterFailure: Snapshot | null = null;

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
    this.store = this.#empty();
  }

  async open(): Promise<void> {
    await this.store.open();
    if (this.#whatHoldsAfterFailure !== null) await this.#goBackTo(this.#whatHoldsAfterFailure);
    this.#images = [this.store.snapshot()];
  }

  async close(): Promise<void> {}

  async killed(): Promise<void> {}

  async end(): Promise<void> {}

  landed(synced: boolean): void {
    const image = this.store.snapshot();
    this.#images = synced ? [image] : [...this.#images, image];
    if (synced) this.#synced = [...this.#synced.slice(-TAIL_STATES_MAX), image];
  }

  failed(): void {
    this.#whatHoldsAfterFailure ??= this.store.snapshot();
  }

  async losePower(luck: Chance): Promise<void> {
    if (this.#images.length === 0) return;
    const kept = luck.below(this.#images.length);
    if (this.#whatHoldsAfterFailure === null && kept === this.#images.length - 1) return;
    await this.#goBackTo(this.#images[kept]!);
  }

  async loseTail(luck: Chance): Promise<number | null> {
    if (this.#synced.length < 2) return null;
    await this.#goBackTo(this.#synced[luck.below(this.#synced.length - 1)]!);
    return lastPosition(this.store);
  }

  async #goBackTo(snapshot: Snapshot): Promise<void> {
    const entries = await this.store.iterator({ snapshot }).all();
    this.store = this.#empty();
    await this.store.open();
    await this.store.batch(entries.map(([key, value]) => ({ type: 'put', key, value })));
    this.#images = [this.store.snapshot()];
    this.#synced = [];
    this.#whatHoldsAfterFailure = null;
  }

  #empty(): MemoryLevel<unknown, unknown> {
    const encoding = this.#encoding;
    // Held as they are given: keys are compared as text then, which is the order of bytes where all is ASCII.
    return new MemoryLevel<unknown, unknown>({
      keyEncoding: encoding,
      valueEncoding: encoding,
      storeEncoding: encoding,
    });
  }
}
