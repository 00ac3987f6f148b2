// How much of a query a document holds in its own words: each term counts by its rarity over all that is searched.
// BM25 lets one rare word, said three times in a short text, stand above a document that holds them all.
import { type TextAnswer, termsOf } from '../../projections/text-index/index.ts';
import type { VectorAnswer } from '../../projections/vectors/index.ts';

interface Term {
  readonly maps: readonly ReadonlyMap<string, number>[];
  readonly rarity: number;
}

/** Document → 0…1. A term that nobody ever used counts most, and nobody holds it. */
export function heldShare(text: TextAnswer, vectors: VectorAnswer): (id: string) => number {
  const terms = [...termsByRarity(text, vectors).values()];
  const all = terms.reduce((sum, { rarity }) => sum + rarity, 0);
  return (id) => {
    let held = 0;
    for (const { maps, rarity } of terms) if (maps.some((map) => map.has(id))) held += rarity;
    return all === 0 ? 0 : held / all;
  };
}

/** Any text → 0…1, by the same measure. */
export function heldIn(text: TextAnswer, vectors: VectorAnswer): (said: string) => number {
  const terms = termsByRarity(text, vectors);
  let all = 0;
  for (const { rarity } of terms.values()) all += rarity;
  return (said) => {
    let held = 0;
    for (const term of new Set(termsOf(said))) held += terms.get(term)?.rarity ?? 0;
    return all === 0 ? 0 : held / all;
  };
}

function termsByRarity({ occurrences }: TextAnswer, { searched }: VectorAnswer): ReadonlyMap<string, Term> {
  // Those of projects whose vectors are still to be made are not among them.
  const known = searched.reduce((sum, { columns }) => sum + columns.ids.length, 0);
  return new Map(
    Array.from(occurrences, ([term, maps]) => {
      const count = maps.reduce((sum, map) => sum + map.size, 0);
      const documents = Math.max(known, count);
      return [term, { maps, rarity: Math.log(1 + (documents - count + 0.5) / (count + 0.5)) }];
    }),
  );
}
