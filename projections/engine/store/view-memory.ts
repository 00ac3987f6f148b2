// A cache of values that a projector derived from the rows of its view, so that it does not read them again. A page takes
// a value out and puts it back once the page is on disk; after a failure the value is derived from the rows again.

import type { PageMemory } from '../contract/projector.ts';

/** About 100 MB. The most recently used value stays, whatever its size. */
const SIZE_MAX = 100_000;

export class ViewMemory {
  readonly #sizeMax: number;
  /** Least recently used first. */
  readonly #kept = new Map<string, { readonly value: unknown; readonly size: number }>();
  #size = 0;

  constructor(sizeMax: number = SIZE_MAX) {
    this.#sizeMax = sizeMax;
  }

  /** The cache as one page uses it. */
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

  /** Call when the fold failed: the kept values match no stored rows. */
  drop(): void {
    this.#kept.clear();
  }

  /** Call when the page is on disk. */
  committed(): void {
    for (const [name, { value, size }] of this.#kept) this.#view.put(name, value, size);
    this.#kept.clear();
  }
}
