// Selects the k best of many without sorting them all: of 100,000 scores nearly all are worse than the worst one kept
// and cost one comparison.

export interface Scored {
  readonly score: number;
  readonly id: string;
}

/** Best first: by score, ties by id. */
export function byScoreThenId(a: Scored, b: Scored): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

export class TopK<T extends Scored> {
  readonly #depth: number;
  /** A heap with the worst element at the root. */
  readonly #kept: T[] = [];

  constructor(depth: number) {
    this.#depth = depth;
  }

  /** A lower score cannot be among the best. Compare it before creating the element; read it again after each `offer`. */
  get least(): number {
    return this.#kept.length < this.#depth ? Number.NEGATIVE_INFINITY : this.#kept[0]!.score;
  }

  offer(one: T): void {
    const kept = this.#kept;
    if (kept.length < this.#depth) {
      kept.push(one);
      if (this.#depth !== Number.POSITIVE_INFINITY) this.#rise(kept.length - 1);
    } else if (byScoreThenId(one, kept[0]!) < 0) {
      kept[0] = one;
      this.#sink();
    }
  }

  /** Best first. */
  sorted(): T[] {
    return [...this.#kept].sort(byScoreThenId);
  }

  #rise(from: number): void {
    const kept = this.#kept;
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (byScoreThenId(kept[at]!, kept[above]!) <= 0) return;
      [kept[at], kept[above]] = [kept[above]!, kept[at]!];
      at = above;
    }
  }

  #sink(): void {
    const kept = this.#kept;
    for (let at = 0; ; ) {
      let worst = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < kept.length && byScoreThenId(kept[below]!, kept[worst]!) > 0) worst = below;
      if (worst === at) return;
      [kept[at], kept[worst]] = [kept[worst]!, kept[at]!];
      at = worst;
    }
  }
}
