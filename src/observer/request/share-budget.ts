// Shares a number of characters among texts: short ones stay whole, long ones get the same part of the rest, by weight.

export interface Wanted {
  readonly chars: number;
  /** A text of weight 2 may become twice as long as one of weight 1. */
  readonly weight: number;
}

/** Characters for each text, at most what it wants. Their sum is at most `total`. */
export function shareBudget(wanted: readonly Wanted[], total: number): number[] {
  const shares = wanted.map(() => 0);
  let rest = Math.max(0, Math.floor(total));
  const waiting = wanted
    .map(({ chars, weight }, index) => ({ index, chars, weight }))
    .sort((a, b) => a.chars / a.weight - b.chars / b.weight);
  let weights = waiting.reduce((sum, { weight }) => sum + weight, 0);
  for (const { index, chars, weight } of waiting) {
    const share = Math.min(chars, Math.floor((rest * weight) / weights));
    shares[index] = share;
    rest -= share;
    weights -= weight;
  }
  return shares;
}
