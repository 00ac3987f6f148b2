// Measures how much of a query a document's words cover; each term counts by its rarity over all that is searched.
// Needed because BM25 can rank one rare word, repeated in a short text, above a document that holds all the terms.
import { type TextAnswer, termsOf } from '../../../projections/text/index.ts';
import type { VectorAnswer } from '../../../projections/vectors/index.ts';

type Searched = Pick<VectorAnswer, 'searched'>;

/** Document → 0…1. A term that occurs in no document counts most, and no document holds it. */
export function termCoverageOf(
  text: TextAnswer,
  vectors: Searched,
): (id: string, projectIndex: string) => number {
  const rarities = raritiesOf(text, vectors);
  const all = sum(rarities);
  return (id, projectIndex) => {
    let held = 0;
    for (const [index, isHeld] of text.own.termsHeldBy(id, projectIndex).entries())
      if (isHeld) held += rarities[index]!;
    return all === 0 ? 0 : held / all;
  };
}

/** Any text → 0…1, by the same measure. */
export function termCoverageIn(text: TextAnswer, vectors: Searched): (text: string) => number {
  const rarities = raritiesOf(text, vectors);
  const all = sum(rarities);
  const rarityOf = new Map(text.terms.map((term, index) => [term, rarities[index]!]));
  return (text) => {
    let held = 0;
    for (const term of new Set(termsOf(text))) held += rarityOf.get(term) ?? 0;
    return all === 0 ? 0 : held / all;
  };
}

/** The rarity of each term of the query, in their order. */
function raritiesOf({ own }: TextAnswer, { searched }: Searched): readonly number[] {
  // Documents without vectors yet are not counted here.
  const known = searched.reduce((count, { content }) => count + content.rows, 0);
  return own.terms.map(({ documents: count }) => {
    const documents = Math.max(known, count);
    return Math.log(1 + (documents - count + 0.5) / (count + 0.5));
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
