// Parses what a person or an agent typed: words that rank, phrases that must occur, words that must not, and
// conditions. Text that only looks like an operator stays text: a pasted message, a path, a URL. query-tokens.ts has
// the grammar of a line. Several lines are a pasted message, which has no operators.
import { AnnalsError } from '../../../log/index.ts';
import { termsOf } from '../../../projections/text/index.ts';
import { type Condition, checked } from './query-conditions.ts';
import { isPasted, sentenceOf, withoutAddresses } from './query-pasted.ts';
import { leftOpen, type Token, tokensOf } from './query-tokens.ts';

export interface Query {
  /** The words to rank by: plain words and those of phrases, in order. Empty if there are only conditions. */
  readonly text: string;
  /** Each must occur, with its words adjacent. */
  readonly phrases: readonly string[];
  /** Words and phrases that must not occur. */
  readonly without: readonly string[];
  readonly conditions: readonly Condition[];
  /** What was not taken as typed, one sentence each. */
  readonly degraded: readonly string[];
}

/** Long enough for a pasted log, too short for a pasted book. */
const LENGTH_MAX = 4_000;

/** @throws AnnalsError USAGE: an operator with an invalid value */
export function parseQuery(input: string): Query {
  const typed = input.normalize('NFC').trim();
  if (isPasted(typed)) return pastedQuery(typed);
  const { text, degraded } = cut(typed);
  const tokens = wordsLeftOut(tokensOf(text));
  const kept: string[] = [];
  const phrases: string[] = [];
  const without: string[] = [];
  const conditions: Condition[] = [];
  for (const token of tokens) {
    if (token.is === 'operator') conditions.push(checked(token.name, token.value, token.not));
    else if (token.is === 'word') {
      kept.push(token.text);
      const open = leftOpen(token.text);
      if (open !== null) degraded.push(openSentence(open, token.text));
    } else if (termsOf(token.text).length === 0) {
      if (!token.not) kept.push(token.text);
      if (token.text !== '') degraded.push(commonSentence(token.text));
    } else if (token.not) without.push(token.text);
    else {
      phrases.push(token.text);
      kept.push(token.text);
    }
  }
  const isPlain = tokens.every(({ is }) => is === 'word');
  return { text: withoutAddresses(isPlain ? text : kept.join(' ')), phrases, without, conditions, degraded };
}

function pastedQuery(typed: string): Query {
  const sentence = sentenceOf(typed);
  const { text, degraded } = cut(sentence);
  const isShortened = sentence.length < typed.replace(/\s+/g, ' ').length;
  const note = isShortened ? ['Stack frames, addresses and positions in the pasted text were left out.'] : [];
  return { text, phrases: [], without: [], conditions: [], degraded: [...note, ...degraded] };
}

function cut(text: string): { text: string; degraded: string[] } {
  if (text.length <= LENGTH_MAX) return { text, degraded: [] };
  const sentence = `The query was cut to its first ${LENGTH_MAX.toLocaleString('en')} characters.`;
  return { text: text.slice(0, LENGTH_MAX).toWellFormed(), degraded: [sentence] };
}

/**
 * `-word`, with three letters or more, excludes documents with that word, but only before or after all other words.
 * Between them it is an option of a command, as in `rm -rf dist`, `grep -name x` or `tar -xf`.
 */
function wordsLeftOut(tokens: readonly Token[]): readonly Token[] {
  const leavesOut = (token: Token) =>
    token.is === 'word' &&
    token.text.startsWith('-') &&
    /^-\p{L}[\p{L}\p{M}\p{N}_.#@]{2,}$/u.test(token.text);
  const isPlain = (token: Token) => (token.is === 'word' && !leavesOut(token)) || token.is === 'phrase';
  const first = tokens.findIndex(isPlain);
  const last = tokens.findLastIndex(isPlain);
  return tokens.map((token, index) =>
    leavesOut(token) && (index < first || index > last || first === -1)
      ? { is: 'phrase', text: (token as Extract<Token, { is: 'word' }>).text.slice(1), not: true }
      : token,
  );
}

function openSentence(name: string, word: string): string {
  return word.includes('"') || word.includes('“')
    ? `A quote after “${name}:” is not closed, so this was searched for as text.`
    : `“${name}:” has no value, so it was searched for as text; write it without a space: ${name}:value.`;
}

/** Why a text without a term finds nothing: what follows the name of the text. */
export function noTermReason(text: string): string {
  return /[\p{L}\p{N}]/u.test(text)
    ? 'holds only words that are too common to search for'
    : 'holds no words to search for';
}

function commonSentence(phrase: string): string {
  return `“${phrase}” ${noTermReason(phrase)}, so it was not searched for as a phrase.`;
}

/** Rejects a query that has neither words nor conditions. */
export function refuseEmpty(): never {
  throw new AnnalsError('USAGE', 'There is nothing to search for.', {
    hint: 'Give some words, or say what to list: annals search "import cycle", annals search type:decision.',
  });
}
