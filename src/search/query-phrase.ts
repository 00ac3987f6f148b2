// Phrases: terms that stand side by side, as the index knows terms: without case, by their stem, across signs and
// words too common to be indexed. “import cycles” is found in “an import-cycle”, not in “imports of the cycle lane”.
import type { MemoryDocument } from '../../projections/index.ts';
import { type TextAnswer, termsOf } from '../../projections/text-index/index.ts';

/** Whether a title or a body holds the phrase. */
export function holds(phrase: string): (document: MemoryDocument) => boolean {
  const wanted = termsOf(phrase);
  return ({ title, body }) => stands(wanted, termsOf(title)) || stands(wanted, termsOf(body));
}

/** The documents that hold every term of these phrases, without reading any; null where there are no phrases. */
export function candidates(
  phrases: readonly string[],
  { occurrences }: Pick<TextAnswer, 'occurrences'>,
): { has(id: string): boolean } | null {
  const terms = [...new Set(phrases.flatMap(termsOf))];
  if (terms.length === 0) return null;
  const held = terms.map((term) => occurrences.get(term) ?? []);
  return { has: (id) => held.every((partitions) => partitions.some((documents) => documents.has(id))) };
}

function stands(wanted: readonly string[], terms: readonly string[]): boolean {
  for (let at = terms.indexOf(wanted[0]!); at !== -1; at = terms.indexOf(wanted[0]!, at + 1))
    if (wanted.every((term, index) => terms[at + index] === term)) return true;
  return false;
}
