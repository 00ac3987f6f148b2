// A seeded random source: one seed is one run.

export interface Chance {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  shuffled<T>(items: readonly T[]): T[];
  /** Interleaves lists, keeping the order within each. */
  interleaved<T>(lists: readonly (readonly T[])[]): T[];
  /** Cuts a list into pieces of 1 to `largest`. */
  cut<T>(items: readonly T[], largest: number): T[][];
}

export function chance(seed: number): Chance {
  let state = seed >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    shuffled: (items) => {
      const mixed = [...items];
      for (let index = mixed.length - 1; index > 0; index--) {
        const other = below(index + 1);
        [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
      }
      return mixed;
    },
    interleaved: (lists) => {
      const left = lists.map((list) => [...list]).filter((list) => list.length > 0);
      const together = [];
      while (left.length > 0) {
        const index = below(left.length);
        together.push(left[index]!.shift()!);
        if (left[index]!.length === 0) left.splice(index, 1);
      }
      return together;
    },
    cut: (items, largest) => {
      const pieces = [];
      for (let from = 0; from < items.length; ) {
        const size = 1 + below(largest);
        pieces.push(items.slice(from, from + size));
        from += size;
      }
      return pieces;
    },
  };
}
