// Sorted arrays, changed in place: nearly everything is added at the end.

/** Index of the first of these that is not before, by a predicate that holds for a first part of them. */
export function firstNot<T>(sorted: readonly T[], isBefore: (value: T) => boolean): number {
  const { length } = sorted;
  if (length === 0 || isBefore(sorted[length - 1]!)) return length;
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Values without equals by one comparison. */
export class Sorted<T> {
  readonly values: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  /** Returns where it stands now. */
  add(value: T): number {
    const index = firstNot(this.values, (one) => this.#compare(one, value) < 0);
    this.values.splice(index, 0, value);
    return index;
  }

  /** Returns where it stood; it must be there, compared as when it was added. */
  delete(value: T): number {
    const index = firstNot(this.values, (one) => this.#compare(one, value) < 0);
    if (this.values[index] !== value) throw new Error('A value left its place in a sorted array.');
    this.values.splice(index, 1);
    return index;
  }
}
