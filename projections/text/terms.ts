// Splits text into terms, the same way for documents and queries.
//
//   text   = word { separator word }         separator: anything but letters, digits and _ $ @ #
//   word   → its own lower case, irregular forms made regular, stemmed when plain English
//   word   → also its parts of two characters and more:  getUserName2 → getusername2, get, user, name
//   Chinese and Japanese, which has no spaces, → its pairs of neighbours:  不用保留 → 不用, 用保, 保留
//
// The terms of a word are cached, because real text repeats: 111,513 words of real transcripts contain 8,171 distinct ones.
// LoCoMo (see text-recipe.ts): 57.1 / 42.6 with stop words left in, 60.2 / 45.2 without stemming. Irregular forms, in the
// complete search: 78.9 / 58.9 without them, 79.5 / 59.7 with them.
import { irregularFormsOf, regular } from './irregular-words.ts';
import { porter2 } from './porter2.ts';
import { STOP_WORDS } from './stop-words.ts';

// Compiled at first use: this takes 2 ms, and every command loads this file.
const anyWord = () => /[\p{L}\p{M}\p{N}_$@#]+/gu;
const anyPart = () => /\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu;
/** Whether a text has letters of a language without spaces. */
export const isUnspaced = (text: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
/** Longer runs are data (base64, minified code), not words. They are cut, so that a query still finds them. */
const WORD_LENGTH_MAX = 64;
/** Cached words before the cache is emptied: about 20 MB at most. */
const CACHED_WORDS_MAX = 100_000;

/** Text whose letters and digits are all ASCII; symbols of later blocks are never part of a word. */
const PLAIN =
  /^[\x00-\x7f\u00a0-\u00a9\u00ab-\u00b1\u2010-\u206f\u20a0-\u20bf\u2190-\u23ff\u2500-\u2775\u2794-\u2bff\ufffd]*$/;
/**
 * `anyWord` and `anyPart` for such text, which is nearly all text: the classes of all scripts take 20 ms to compile, a
 * tenth of a short command.
 */
const PLAIN_WORD = /[A-Za-z0-9_$@#]+/g;
const PLAIN_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;

const cache = new Map<string, readonly string[]>();

/** The terms of a text in order, with repetitions, without stop words. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const word of text.match(PLAIN.test(text) ? PLAIN_WORD : anyWord()) ?? []) {
    for (const term of termsOfWord(word)) terms.push(term);
  }
  return terms;
}

/**
 * Finds some terms in a text without stemming its other words, which are nearly all. Each list holds consecutive terms of
 * the text, among them each of the wanted ones and, not as the last, its successor.
 */
export function termsAround(wanted: readonly string[]): (text: string) => Iterable<readonly string[]> {
  if (!wanted.every((term) => PLAIN.test(term))) return (text) => [termsOf(text)];
  const known = new Set(wanted);
  const begins = new RegExp([...new Set(wanted.flatMap(beginningsOf))].join('|'), 'g');
  return function* (text) {
    let end = 0;
    for (const { index } of text.matchAll(begins)) {
      if (index < end) continue;
      let start = index;
      while (start > end && !isGap(text, start - 1)) start -= 1;
      end = runEnd(text, index);
      const terms = termsOf(text.slice(start, end));
      while (end < text.length && known.has(terms.at(-1) ?? '')) {
        const from = end;
        while (end < text.length && isGap(text, end)) end += 1;
        end = runEnd(text, end);
        terms.push(...termsOf(text.slice(from, end)));
      }
      yield terms;
    }
  };
}

/** Spaces, line ends and control characters, which are in no word. */
function isGap(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 0x20;
}

/** The end of the run without gaps. */
function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && !isGap(text, end)) end += 1;
  return end;
}

/**
 * Expressions for the beginnings of the words that have a term, and of their parts. A stem keeps the first two letters of
 * a regular word, apart from y (`dying`, `die`).
 */
function beginningsOf(term: string): string[] {
  const isBase = (base: string) => base.startsWith(term.slice(0, 1)) && porter2(base) === term;
  return [term, ...irregularFormsOf(isBase)].map((word) => {
    const [first = '', second = ''] = word;
    return `${isSmall(first) ? partStart(first) : escaped(first)}${isSmall(second) ? anyCase(second) : escaped(second)}`;
  });
}

/** A part begins at a capital, or at a small letter after something else. */
function partStart(letter: string): string {
  return `(?:(?<![A-Za-z])${letter}|${letter.toUpperCase()})`;
}

function anyCase(letter: string): string {
  return /[iy]/.test(letter) ? '[iyIY]' : `[${letter}${letter.toUpperCase()}]`;
}

function isSmall(letter: string): boolean {
  return /[a-z]/.test(letter);
}

function escaped(letter: string): string {
  return letter.replace('$', '\\$');
}

/** The terms of one word, as `termsOf` finds them: for highlighting words in a text. */
export function termsOfWord(word: string): readonly string[] {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const composed = word.normalize('NFC');
  // Never cut inside a surrogate pair: half a character would be read back from disk as another one.
  const terms = makeTerms(composed.slice(0, isCutInside(composed) ? WORD_LENGTH_MAX - 1 : WORD_LENGTH_MAX));
  if (cache.size >= CACHED_WORDS_MAX) cache.clear();
  cache.set(word, terms);
  return terms;
}

/** The words of a text with their offsets: for snippets. */
export function wordSpans(text: string): { readonly word: string; readonly start: number }[] {
  return Array.from(text.matchAll(PLAIN.test(text) ? PLAIN_WORD : anyWord()), (match) => ({
    word: match[0],
    start: match.index,
  }));
}

function makeTerms(word: string): readonly string[] {
  const whole = word.toLowerCase();
  if (PLAIN.test(word)) {
    const parts = word.match(PLAIN_PART) ?? [];
    if (parts.length === 1 && parts[0] === word) return plainTerms(whole);
    return [...new Set([whole, ...parts.flatMap(partTerms)])];
  }
  const parts = word.match(anyPart()) ?? [];
  if (parts.length === 1 && parts[0] === word && !isUnspaced(word)) return plainTerms(whole);
  const terms = new Set(isUnspaced(word) ? [] : [whole]);
  for (const part of parts) {
    if (isUnspaced(part)) for (const pair of pairsOf(part)) terms.add(pair);
    else for (const term of partTerms(part)) terms.add(term);
  }
  return [...terms];
}

function isCutInside(word: string): boolean {
  return word.length > WORD_LENGTH_MAX && (word.charCodeAt(WORD_LENGTH_MAX - 1) & 0xfc00) === 0xd800;
}

function partTerms(part: string): readonly string[] {
  return part.length > 1 ? plainTerms(part.toLowerCase()) : [];
}

function plainTerms(lower: string): readonly string[] {
  return STOP_WORDS.has(lower) ? [] : [porter2(regular(lower))];
}

function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  if (characters.length < 3) return [run];
  return characters.slice(1).map((character, index) => characters[index]! + character);
}
