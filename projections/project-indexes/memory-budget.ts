// How much memory all loaded partitions may take together. Who was used longest ago goes first; the one used
// last stays, however large it is, or every search would begin by loading.

/** Something loaded, by whoever loaded it. */
export interface Evictable {
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
  readonly #evictable = new Set<Evictable>();

  constructor(limit: number = MEMORY_BUDGET_BYTES) {
    this.#limit = limit;
  }

  used(evictable: Evictable): void {
    this.#evictable.delete(evictable);
    this.#evictable.add(evictable);
  }

  gone(evictable: Evictable): void {
    this.#evictable.delete(evictable);
  }

  /** Bytes of all that is loaded. */
  bytes(): number {
    let bytes = 0;
    for (const evictable of this.#evictable) bytes += evictable.bytes();
    return bytes;
  }

  /** What has to go, in that order, until so many bytes are left. */
  excess(limit: number = this.#limit): readonly Evictable[] {
    const chosen: Evictable[] = [];
    let over = this.bytes() - limit;
    for (const evictable of [...this.#evictable].slice(0, -1)) {
      if (over <= 0) break;
      chosen.push(evictable);
      over -= evictable.bytes();
    }
    return chosen;
  }
}
