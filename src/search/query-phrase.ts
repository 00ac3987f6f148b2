// Phrases: words that stand side by side, compared as the index does: without case, by their stem, across signs; words
// too common to be indexed count too. “import cycles” is found in “an import-cycle”, not in “imports of a cycle”.
import type { MemoryDocument } from '../../projections/index.ts';
import { type TextAnswer, termsOf, termsOfWord, wordsOf } from '../../projections/text-index/index.ts';

/** Whether a title or a body holds the phrase. */
export function holds(phrase: string): (document: MemoryDocument) => boolean {
  const wanted = wordTermsOf(phrase);
  return ({ title, body }) => stands(wanted, wordTermsOf(title)) || stands(wanted, wordTermsOf(body));
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

/** Each word's terms; of a word that is not indexed, the word. */
function wordTermsOf(text: string): string[] {
  return wordsOf(text).flatMap(({ word }) => {
    const terms = termsOfWord(word);
    return terms.length === 0 ? [word.toLowerCase()] : terms;
  });
}

function stands(wanted: readonly string[], terms: readonly string[]): boolean {
  for (let at = terms.indexOf(wanted[0]!); at !== -1; at = terms.indexOf(wanted[0]!, at + 1))
    if (wanted.every((term, index) => terms[at + index] === term)) return true;
  return false;
}
