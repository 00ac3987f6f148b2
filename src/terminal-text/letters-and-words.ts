// Letters, words and sentences of any script. Unicode's tables are asked only for texts that need them: compiling an
// expression that names them takes 2 to 5 ms, and a session waits for it.

/** ASCII, and signs beside it that are no letters: quotation marks, dashes, dots, arrows, boxes. Most texts. */
const FEW_LETTERS = /^[\x00-\x7f\u2010-\u205e\u2190-\u21ff\u2500-\u259f]*$/;

/** The letters of a text in lower case, a space for whatever stands between them. */
export function lowerCaseLetters(text: string): string {
  const lower = text.toLowerCase();
  const letters = FEW_LETTERS.test(lower)
    ? lower.replace(/[^a-z]+/g, ' ')
    : lower.replace(/[^\p{L}]+/gu, ' ');
  return letters.trim();
}

/** Words of five letters and digits or more, in lower case. */
export function longWordsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return lower.match(FEW_LETTERS.test(lower) ? /[a-z0-9]{5,}/g : /[\p{L}\p{N}]{5,}/gu) ?? [];
}

/** Words of three letters, digits and underscores or more, in lower case. */
export function lowerCaseWords(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return lower.match(FEW_LETTERS.test(lower) ? /[a-z0-9_]{3,}/g : /[\p{L}\p{N}_]{3,}/gu) ?? [];
}

/** Words, names and paths of five characters or more, as they are written. */
export function longNames(text: string): readonly string[] {
  return text.match(FEW_LETTERS.test(text) ? /[A-Za-z0-9_.-]{5,}/g : /[\p{L}\p{N}_.-]{5,}/gu) ?? [];
}

/** Cut where a sentence ends and the next begins with a capital. */
export function splitSentences(text: string): string[] {
  return text.split(FEW_LETTERS.test(text) ? /(?<=[.!?])\s+(?=[A-Z])/ : /(?<=[.!?])\s+(?=\p{Lu})/u);
}

/** What matches where a sentence of this text ends and the next begins with a capital, a quotation or a name in code. */
export function sentenceEnds(text: string): RegExp {
  return FEW_LETTERS.test(text) ? /[.!?](?=\s+[A-Z`"“])/g : /[.!?](?=\s+[\p{Lu}`"“])/gu;
}
