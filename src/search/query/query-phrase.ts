// Phrases: adjacent words, compared as the index compares them: without case, by stem, across punctuation. Words too
// common to be indexed count too. “import cycles” is found in “an import-cycle”, not in “imports of a cycle”.
import type { MemoryDocument } from '../../../projections/index.ts';
import { type TextAnswer, termsOf, termsOfWord, wordSpans } from '../../../projections/text/index.ts';

/** A range of characters in a text, `end` excluded. */
export interface PhraseSpan {
  readonly start: number;
  readonly end: number;
}

/** A test whether a title or a body contains the phrase. */
export function holdsPhrase(phrase: string): (document: MemoryDocument) => boolean {
  const wanted = wordTermsOf(phrase).map(({ term }) => term);
  return ({ title, body }) =>
    phraseSpansIn(title, wanted).next().value !== undefined ||
    phraseSpansIn(body, wanted).next().value !== undefined;
}

/** Each occurrence of a phrase in a text: from the start of its first word to the end of its last. */
export function phraseSpans(text: string, phrase: string): PhraseSpan[] {
  return [
    ...phraseSpansIn(
      text,
      wordTermsOf(phrase).map(({ term }) => term),
    ),
  ];
}

/** Ids of the documents that hold every term of these phrases, without reading any; null if there are no phrases. */
export function candidates(
  phrases: readonly string[],
  { own }: Pick<TextAnswer, 'own'>,
): ReadonlySet<string> | null {
  const terms = [...new Set(phrases.flatMap(termsOf))];
  return terms.length === 0 ? null : own.holding(terms);
}

function* phraseSpansIn(text: string, wanted: readonly string[]): Generator<PhraseSpan> {
  const terms = wordTermsOf(text);
  const last = terms.length - wanted.length;
  for (let at = 0; at <= last; at += 1)
    if (wanted.every((term, index) => terms[at + index]!.term === term))
      yield { start: terms[at]!.start, end: terms[at + wanted.length - 1]!.end };
}

/** The terms of each word; a word that is not indexed is its own term. */
function wordTermsOf(text: string): ({ readonly term: string } & PhraseSpan)[] {
  return wordSpans(text).flatMap(({ word, start }) => {
    const terms = termsOfWord(word);
    const end = start + word.length;
    return (terms.length === 0 ? [word.toLowerCase()] : terms).map((term) => ({ term, start, end }));
  });
}
