// How many read a store just now, so that it is shut or exchanged only when nobody does.

export class Readers {
  #count = 0;
  #whenNone: (() => void) | null = null;

  enter(): void {
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#whenNone?.();
  }

  /** Resolves when nobody reads; at once when nobody does. One may wait at a time. */
  async gone(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenNone = resolve;
    });
    this.#whenNone = null;
  }
}
