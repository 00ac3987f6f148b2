// How much memory all loaded partitions may take together. Who was used longest ago goes first; the one used
// last stays, however large it is, or every search would begin by loading.

/** Something loaded, by whoever loaded it. */
export interface Held {
  /** About how much memory it takes now. */
  bytes(): number;
  /** Lets go of it, saved where it can be. */
  unload(): Promise<void>;
}

/**
 * Bytes that are kept when nobody says otherwise. 100,000 records take about 65 MB, text and vectors together, so
 * that four times as many stay loaded; most people's whole memory is less.
 */
export const MEMORY_BUDGET_BYTES = 256 * 2 ** 20;

export class MemoryBudget {
  readonly #limit: number;
  /** In the order of their last use. */
  readonly #held = new Set<Held>();

  constructor(limit: number = MEMORY_BUDGET_BYTES) {
    this.#limit = limit;
  }

  used(held: Held): void {
    this.#held.delete(held);
    this.#held.add(held);
  }

  gone(held: Held): void {
    this.#held.delete(held);
  }

  /** Bytes of all that is loaded. */
  bytes(): number {
    let bytes = 0;
    for (const held of this.#held) bytes += held.bytes();
    return bytes;
  }

  /** What has to go, in that order, until so many bytes are left. */
  excess(limit: number = this.#limit): readonly Held[] {
    const chosen: Held[] = [];
    let over = this.bytes() - limit;
    for (const held of [...this.#held].slice(0, -1)) {
      if (over <= 0) break;
      chosen.push(held);
      over -= held.bytes();
    }
    return chosen;
  }
}
