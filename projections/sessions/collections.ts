// Two collections of the session structure: sets by name, and arrays that stay sorted.

const NONE: ReadonlySet<never> = new Set();

/** Sets by name; a set without values is removed. */
export class SetMap<T> {
  readonly #sets = new Map<string, Set<T>>();

  add(name: string, value: T): void {
    const set = this.#sets.get(name);
    if (set === undefined) this.#sets.set(name, new Set([value]));
    else set.add(value);
  }

  delete(name: string, value: T): void {
    const set = this.#sets.get(name);
    if (set?.delete(value) && set.size === 0) this.#sets.delete(name);
  }

  get(name: string): ReadonlySet<T> {
    return this.#sets.get(name) ?? NONE;
  }

  names(): Iterable<string> {
    return this.#sets.keys();
  }
}

/** Index of the first value for which `isBefore` is false. `isBefore` must be true for all values before that one. */
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

/** Values in the order of `compare`, no two of them equal. Most values are added at the end. */
export class Sorted<T> {
  readonly values: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  /** Returns the index of the value. */
  add(value: T): number {
    const index = firstNot(this.values, (one) => this.#compare(one, value) < 0);
    this.values.splice(index, 0, value);
    return index;
  }

  /** The value must still compare as when it was added. */
  indexOf(value: T): number {
    const index = firstNot(this.values, (one) => this.#compare(one, value) < 0);
    if (this.values[index] !== value)
      throw new Error('A sorted array does not have this value at its index.');
    return index;
  }

  /** Returns the index that the value had. The value must still compare as when it was added. */
  delete(value: T): number {
    const index = this.indexOf(value);
    this.values.splice(index, 1);
    return index;
  }
}
