// What a projector keeps in memory beside the rows of a view, so that it need not read them again: made of rows alone,
// and worth nothing without them. A page takes a value out, and it comes back only when the page is on disk: after a
// failure it is made of the rows again.

/** As a projector sees it. */
export interface PageMemory {
  /** Hands a value out; until it is kept again nobody has it. */
  take<T>(name: string): T | undefined;
  /** `size`: about how much it holds, in things of some 1,000 bytes. */
  keep(name: string, value: unknown, size: number): void;
}

/** Some 100 MB. What was used last stays, whatever its size. */
const SIZE_MAX = 100_000;

export class ViewMemory {
  readonly #sizeMax: number;
  /** The least recently used first. */
  readonly #kept = new Map<string, { readonly value: unknown; readonly size: number }>();
  #size = 0;

  constructor(sizeMax: number = SIZE_MAX) {
    this.#sizeMax = sizeMax;
  }

  /** For one page. */
  page(): MemoryOfPage {
    return new MemoryOfPage(this);
  }

  take(name: string): unknown {
    const kept = this.#kept.get(name);
    if (kept === undefined) return undefined;
    this.#kept.delete(name);
    this.#size -= kept.size;
    return kept.value;
  }

  put(name: string, value: unknown, size: number): void {
    this.take(name);
    this.#kept.set(name, { value, size });
    this.#size += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#sizeMax || oldest === name) return;
      this.take(oldest);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#size = 0;
  }
}

export class MemoryOfPage implements PageMemory {
  readonly #view: ViewMemory;
  readonly #kept = new Map<string, { readonly value: unknown; readonly size: number }>();

  constructor(view: ViewMemory) {
    this.#view = view;
  }

  take<T>(name: string): T | undefined {
    const kept = this.#kept.get(name);
    this.#kept.delete(name);
    return (kept === undefined ? this.#view.take(name) : kept.value) as T | undefined;
  }

  keep(name: string, value: unknown, size: number): void {
    this.#kept.set(name, { value, size });
  }

  /** The fold failed: what it kept fits no rows. */
  drop(): void {
    this.#kept.clear();
  }

  /** The page is on disk. */
  committed(): void {
    for (const [name, { value, size }] of this.#kept) this.#view.put(name, value, size);
    this.#kept.clear();
  }
}
