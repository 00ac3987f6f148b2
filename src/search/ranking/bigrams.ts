// Scores words that are adjacent both in the query and in a document: “import cycle” is a better match than an import
// in one place and a cycle in another.
import { type TextAnswer, termsAround, termsOf } from '../../../projections/text/index.ts';
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
  const listsIn = termsAround([...wanted.keys()]);
  const indexes = new Map(own.terms.map(({ term }, index) => [term, index]));
  const isHeld = (held: readonly boolean[], term: string) => held[indexes.get(term) ?? -1] === true;
  const mayHold = (id: string, projectIndex: string): boolean => {
    const held = own.termsHeldBy(id, projectIndex);
    for (const [term, nexts] of wanted)
      if (isHeld(held, term)) for (const next of nexts) if (isHeld(held, next)) return true;
    return false;
  };
  return ({ document: { title, body }, ranked: { id, projectIndex } }) => {
    if (!mayHold(id, projectIndex)) return 0;
    const found = new Set<string>();
    for (const terms of listsIn(`${title}\n${body}`))
      for (let index = 1; index < terms.length; index += 1)
        if (wanted.get(terms[index - 1]!)?.has(terms[index]!))
          found.add(`${terms[index - 1]} ${terms[index]}`);
    return found.size / pairs;
  };
}
