// Limits the memory of all loaded project indexes together. The least recently used is unloaded first. The most recently
// used stays, however large it is; otherwise every search would begin by loading.

/** Something that can be unloaded. */
export interface Evictable {
  /** Estimated memory in bytes. */
  bytes(): number;
  /** Saves it where possible and releases its memory. */
  unload(): Promise<void>;
}

/**
 * The default budget in bytes. 100,000 records take about 65 MB, text and vectors together, so four times as many stay
 * loaded; most people have fewer.
 */
export const MEMORY_BUDGET_BYTES = 256 * 2 ** 20;

export class MemoryBudget {
  readonly #limit: number;
  /** Least recently used first. */
  readonly #evictable = new Set<Evictable>();

  constructor(limit: number = MEMORY_BUDGET_BYTES) {
    this.#limit = limit;
  }

  used(evictable: Evictable): void {
    this.#evictable.delete(evictable);
    this.#evictable.add(evictable);
  }

  forget(evictable: Evictable): void {
    this.#evictable.delete(evictable);
  }

  /** Estimated bytes of everything loaded. */
  bytes(): number {
    let bytes = 0;
    for (const evictable of this.#evictable) bytes += evictable.bytes();
    return bytes;
  }

  /** What to unload, in order, until at most `limit` bytes remain. */
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
