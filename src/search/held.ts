// How much of a query a document holds in its own words: each term counts by its rarity over all that is searched.
// BM25 lets one rare word, said three times in a short text, stand above a document that holds them all.
import type { TextAnswer } from '../../projections/text-index/index.ts';
import type { VectorAnswer } from '../../projections/vectors/index.ts';

/** Document → 0…1. A term that nobody ever used counts most, and nobody holds it. */
export function heldShare(
  { own }: TextAnswer,
  { searched }: Pick<VectorAnswer, 'searched'>,
): (id: string) => number {
  // Those of projects whose vectors are still to be made are not among them.
  const known = searched.reduce((sum, { columns }) => sum + columns.ids.length, 0);
  const rarities = own.terms.map(({ documents: count }) => {
    const documents = Math.max(known, count);
    return Math.log(1 + (documents - count + 0.5) / (count + 0.5));
  });
  const all = rarities.reduce((sum, rarity) => sum + rarity, 0);
  return (id) => {
    let held = 0;
    for (const [index, isHeld] of own.heldBy(id).entries()) if (isHeld) held += rarities[index]!;
    return all === 0 ? 0 : held / all;
  };
}
