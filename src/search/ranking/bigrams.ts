// Scores words that are adjacent both in the query and in a document: “import cycle” is a better match than an import
// in one place and a cycle in another.
import { type TextAnswer, termsOf } from '../../../projections/text/index.ts';
import type { FoundDocument } from './found-documents.ts';

/**
 * The share of the query's adjacent term pairs, 0…1, that are adjacent in a document too.
 * @param own which terms of the query each document holds: a text is read only if it holds both terms of a pair
 */
export function bigramShare(query: string, own: TextAnswer['own']): (found: FoundDocument) => number {
  const asked = termsOf(query);
  /** Each term, with the terms that follow it in the query. */
  const wanted = new Map<string, Set<string>>();
  for (const [index, next] of asked.slice(1).entries())
    wanted.set(asked[index]!, (wanted.get(asked[index]!) ?? new Set()).add(next));
  let pairs = 0;
  for (const nexts of wanted.values()) pairs += nexts.size;
  if (pairs === 0) return () => 0;
  const indexes = new Map(own.terms.map(({ term }, index) => [term, index]));
  const isHeld = (held: readonly boolean[], term: string) => held[indexes.get(term) ?? -1] === true;
  const mayHold = (id: string, projectIndex: string): boolean => {
    const held = own.termsHeldBy(id, projectIndex);
    for (const [term, nexts] of wanted)
      if (isHeld(held, term)) for (const next of nexts) if (isHeld(held, next)) return true;
    return false;
  };
  return ({ ranked: { id, projectIndex }, terms }) => {
    if (!mayHold(id, projectIndex)) return 0;
    const held = terms();
    const found = new Set<string>();
    // Only terms that begin a pair in the query are looked at; most words of a document do not.
    for (let index = 1; index < held.length; index += 1)
      if (wanted.get(held[index - 1]!)?.has(held[index]!)) found.add(`${held[index - 1]} ${held[index]}`);
    return found.size / pairs;
  };
}
