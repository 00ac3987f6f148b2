/** How often one process answers the same difference, and sends the same event again. */
export const TRIES_MAX = 3;
/** Of more nothing is remembered. */
const REMEMBERED_MAX = 100_000;

export class Tries {
  readonly #counts = new Map<string, number>();

  /** Whether something was tried enough; counts it otherwise. */
  isSpent(what: string): boolean {
    const times = this.#counts.get(what) ?? 0;
    if (this.#counts.size < REMEMBERED_MAX) this.#counts.set(what, times + 1);
    return times >= TRIES_MAX;
  }
}
