// Finds letters, words and sentences in any script. Unicode property classes are used only for texts that need them:
// compiling such an expression takes 2 to 5 ms, and a session start waits for it.

/** ASCII, and other signs that are not letters: quotation marks, dashes, dots, arrows, boxes. Matches most texts. */
const FEW_LETTERS = /^[\x00-\x7f\u2010-\u205e\u2190-\u21ff\u2500-\u259f]*$/;

/** The letters of a text in lower case, with one space in place of anything between them. */
export function lowerCaseLetters(text: string): string {
  const lower = text.toLowerCase();
  const letters = FEW_LETTERS.test(lower)
    ? lower.replace(/[^a-z]+/g, ' ')
    : lower.replace(/[^\p{L}]+/gu, ' ');
  return letters.trim();
}

/** Words of at least five letters and digits, in lower case; of scripts without spaces hardly any. */
export function longWordsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return lower.match(FEW_LETTERS.test(lower) ? /[a-z0-9]{5,}/g : /[\p{L}\p{N}]{5,}/gu) ?? [];
}

/** Words of at least three letters, digits and underscores, in lower case. */
export function lowerCaseWords(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return lower.match(FEW_LETTERS.test(lower) ? /[a-z0-9_]{3,}/g : /[\p{L}\p{N}_]{3,}/gu) ?? [];
}

/** Splits where a sentence ends and the next begins with a capital, if its script has some. */
export function splitSentences(text: string): string[] {
  return text.split(
    FEW_LETTERS.test(text)
      ? /(?<=[.!?])\s+(?=[A-Z])/
      : /(?<=[.!?])\s+(?=\p{Lu})|(?<=[。！？][」』”’）)]?)(?![」』”’）)])\s*/u,
  );
}

/** An expression for the ends of sentences, where the next one begins with a capital, a quotation mark or a backtick. */
export function sentenceEnds(text: string): RegExp {
  return FEW_LETTERS.test(text) ? /[.!?](?=\s+[A-Z`"“])/g : /[.!?](?=\s+[\p{Lu}`"“])|[。！？](?=\s)/gu;
}

/** Between fields on one line. */
export const BREAK = ' · ';

/** Where sentences and fields of one line begin, in order. */
export function sentenceStarts(line: string): readonly number[] {
  const afterEnds = [...line.matchAll(sentenceEnds(line))].map(({ index }) => index + '. '.length);
  const afterBreaks = [...line.matchAll(/ · /g)].map(({ index }) => index + BREAK.length);
  return [0, ...afterEnds, ...afterBreaks].sort((a, b) => a - b);
}

/** Whether the text holds the name as a word of its own: neither part of a longer word nor below a folder. */
export function mentions(text: string, name: string): boolean {
  // An empty name is found at the end again and again.
  if (name === '') return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + name.length, at + name.length + 2);
    if (!/[\w/.-]/.test(before) && !/^(?:[\w/-]|\.\w)/.test(after)) return true;
  }
  return false;
}
