// Computes figures from ranks, and the confidence interval of a difference: questions are resampled with replacement,
// both searches are judged on the same sample, and the middle 95 % of the differences is the interval.

/** Rank of the first right answer, from 1; 0 if it was not found. */
export type Rank = number;

export interface Score {
  readonly hit1: number;
  readonly hit10: number;
  /** Mean reciprocal rank. */
  readonly mrr: number;
  readonly questions: number;
}

export interface Gain {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const DRAWS = 4_000;

/** All fields except `questions` in percent. */
export function score(ranks: readonly Rank[]): Score {
  const share = (value: (rank: Rank) => number) => (100 * sum(ranks.map(value))) / Math.max(1, ranks.length);
  return {
    hit1: share(firstWorkdir),
    hit10: share((rank) => (rank > 0 && rank <= 10 ? 1 : 0)),
    mrr: share(reciprocal),
    questions: ranks.length,
  };
}

export function firstWorkdir(rank: Rank): number {
  return rank === 1 ? 1 : 0;
}

export function reciprocal(rank: Rank): number {
  return rank === 0 ? 0 : 1 / rank;
}

/** How much better `after` is than `before`, question by question, in percentage points. The samples are always the same. */
export function gain(before: readonly number[], after: readonly number[]): Gain {
  const differences = after.map((value, index) => 100 * (value - before[index]!));
  const next = numbers(differences.length);
  const means = Array.from({ length: DRAWS }, () => {
    let total = 0;
    for (let draw = 0; draw < differences.length; draw++) total += differences[next()]!;
    return total / differences.length;
  }).sort((a, b) => a - b);
  return {
    mean: sum(differences) / differences.length,
    low: means[Math.floor(0.025 * DRAWS)]!,
    high: means[Math.ceil(0.975 * DRAWS) - 1]!,
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Integers below a bound, always the same sequence (mulberry32). */
function numbers(below: number): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
