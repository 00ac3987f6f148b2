// One LevelDB in memory. It keeps an image for every batch that is not synced yet, so that a power cut can restore
// any of them.
import type { Chance } from '../helpers/chance.ts';
import { type AnyStore, type Backing, lastPosition } from './backing.ts';
import { type Image, MemoryStore } from './memory-store.ts';

/** Number of synced states that a damaged write-ahead file may fall back to. */
const TAIL_STATES_MAX = 6;

export class MemoryBacking implements Backing {
  readonly #memory = new MemoryStore();
  readonly store = this.#memory as unknown as AnyStore;
  /** The synced state, then one state for each later batch. */
  #images: Image[] = [];
  /** Synced states, oldest first. */
  #synced: Image[] = [];
  #whatHoldsAfterFailure: Image | null = null;

  async open(): Promise<void> {
    if (this.#whatHoldsAfterFailure !== null) this.#goBackTo(this.#whatHoldsAfterFailure);
    this.#images = [this.#memory.image];
  }

  async close(): Promise<void> {}

  async killed(): Promise<void> {}

  async end(): Promise<void> {}

  *residue(): Generator<Buffer | string> {
    yield* this.#memory.written;
  }

  landed(synced: boolean): void {
    const { image } = this.#memory;
    // Tables of nothing new: there is no other state to fall back to.
    if (image === this.#images.at(-1)) return;
    if (!synced) {
      this.#images.push(image);
      return;
    }
    this.#images = [image];
    this.#synced = [...this.#synced.slice(-TAIL_STATES_MAX), image];
  }

  failed(): void {
    this.#whatHoldsAfterFailure ??= this.#memory.image;
  }

  async losePower(luck: Chance): Promise<void> {
    if (this.#images.length === 0) return;
    const kept = luck.below(this.#images.length);
    if (this.#whatHoldsAfterFailure === null && kept === this.#images.length - 1) return;
    this.#goBackTo(this.#images[kept]!);
  }

  async loseTail(luck: Chance): Promise<number | null> {
    if (this.#synced.length < 2) return null;
    this.#goBackTo(this.#synced[luck.below(this.#synced.length - 1)]!);
    return lastPosition(this.store);
  }

  #goBackTo(image: Image): void {
    this.#memory.goBackTo(image);
    this.#images = [image];
    this.#synced = [];
    this.#whatHoldsAfterFailure = null;
  }
}
