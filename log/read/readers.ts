// Counts the running reads of a store, or writes, so that it is closed, replaced or read alone only when there are none.

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

  /** Resolves when none is running. Only one caller may wait at a time. */
  async gone(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenNone = resolve;
    });
    this.#whenNone = null;
  }
}
