// Highlights the query's words in a snippet. The index matches by stem and by parts of identifiers; here a word
// matches when it contains a query word, or differs from it only in its ending.
import { sentenceStarts } from '../../terminal-text/letters-and-words.ts';
import { cutToCells, width } from '../../terminal-text/plain-text.ts';
import type { Style } from '../command/terminal.ts';

// Made at its first use: the classes of all scripts take long to compile, and most text has ASCII letters only.
const anyWord = () => /[\p{L}\p{N}_$@#]+/gu;
const PLAIN_WORD = /[A-Za-z0-9_$@#]+/g;
const PLAIN = /^[\x00-\x7f\u2010-\u206f]*$/;

export function emphasise(text: string, query: string, style: Style): string {
  const terms = queryWords(query);
  return text.replace(wordIn(text), (word) =>
    terms.some((term) => matches(word.toLowerCase(), term)) ? style.bold(style.yellow(word)) : word,
  );
}

/** Cuts a long text to one line that begins with the sentence of the first match, or shortly before a match far into it. */
export function windowOn(text: string, query: string, cells: number): string {
  if (width(text) <= cells) return text;
  const terms = queryWords(query);
  const first = [...text.matchAll(wordIn(text))].find(([word]) =>
    terms.some((term) => matches(word.toLowerCase(), term)),
  );
  const start = first?.index ?? 0;
  if (width(text.slice(0, start)) < cells / 2) return cutToCells(text, cells);
  const sentence = sentenceStarts(text).findLast((at) => at <= start)!;
  const isNear = width(text.slice(sentence, start)) < cells / 2;
  const lead = text.lastIndexOf(' ', Math.max(0, start - Math.floor(cells / 4))) + 1;
  const rest = text.slice(isNear ? sentence : lead);
  return cutToCells(rest === text ? text : `…${rest}`, cells);
}

function queryWords(query: string): readonly string[] {
  return (query.toLowerCase().match(wordIn(query)) ?? []).filter((word) => word.length > 1);
}

function wordIn(text: string): RegExp {
  return PLAIN.test(text) ? PLAIN_WORD : anyWord();
}

function matches(word: string, term: string): boolean {
  if (word === term) return true;
  if (term.length < 4) return false;
  if (word.includes(term)) return true;
  const stem = term.slice(0, Math.max(4, term.length - 3));
  return word.startsWith(stem) && Math.abs(word.length - term.length) <= 4;
}
