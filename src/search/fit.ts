// Whether a result fits its query at all. A score only orders: it is 0…1 within one search, so the best of nothing
// stands as high as the best of much. This is absolute: the share of the query's rare words that the document holds,
// and the nearness of its meaning.
import type { TextAnswer } from '../../projections/text-index/index.ts';
import type { VectorAnswer } from '../../projections/vectors/index.ts';
import { heldShare } from './held.ts';

/** From about −0.2 (nothing in common) to 2 (every word, and the same meaning). */
export function fitting(text: TextAnswer, vectors: VectorAnswer): (id: string) => number {
  const held = heldShare(text, vectors);
  return (id) => {
    const partition = text.own.partitionOf(id);
    return (partition === null ? 0 : held(id, partition)) + vectors.cosineOf(id);
  };
}
