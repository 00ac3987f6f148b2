// Words that stand beside each other in the query and in a document too: “import cycle” is more than an import
// here and a cycle there.
import type { MemoryDocument } from '../../projections/index.ts';
import { termsOf } from '../../projections/text-index/index.ts';

/** The share of the query's neighbouring terms, 0…1, that a document holds as neighbours too. */
export function pairShare(query: string): (document: MemoryDocument) => number {
  const wanted = pairsOf(termsOf(query));
  if (wanted.size === 0) return () => 0;
  return ({ title, body }) => {
    const held = pairsOf(termsOf(`${title}\n${body}`));
    let found = 0;
    for (const pair of wanted) if (held.has(pair)) found += 1;
    return found / wanted.size;
  };
}

function pairsOf(terms: readonly string[]): Set<string> {
  return new Set(terms.slice(1).map((term, index) => `${terms[index]} ${term}`));
}
