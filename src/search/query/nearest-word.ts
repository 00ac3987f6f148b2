// Corrects a mistyped word to the nearest known one.

/** The known word that `word` begins, or the nearest at most two letters away (one for short words); null otherwise. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const begun = known.filter((one) => word.length > 1 && one.startsWith(word));
  if (begun.length === 1) return begun[0] ?? null;
  const near = known
    .map((one) => ({ one, away: distance(word.toLowerCase(), one) }))
    .filter(({ one, away }) => away <= Math.min(2, Math.ceil(one.length / 4)));
  return near.sort((a, b) => a.away - b.away)[0]?.one ?? null;
}

/** Edit distance: letters added, removed, changed or swapped with their neighbour. */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let at = 1; at <= from.length; at++) {
    const row = [at];
    for (let other = 1; other <= to.length; other++) {
      const changed = rows[at - 1]![other - 1]! + (from[at - 1] === to[other - 1] ? 0 : 1);
      const isSwapped = from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1];
      const swapped = at > 1 && other > 1 && isSwapped ? rows[at - 2]![other - 2]! + 1 : changed;
      row.push(Math.min(changed, swapped, rows[at - 1]![other]! + 1, row[other - 1]! + 1));
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
