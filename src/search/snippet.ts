// Cuts the part of a document that shows why it was found: the part of its text with the most different phrases and
// terms of the query, on one line, without control characters. It begins with a sentence where that leaves room for the
// match, else with a word. Without a match it is the beginning.
import type { MemoryDocument } from '../../projections/index.ts';
import { termsOf, termsOfWord, wordSpans } from '../../projections/text/index.ts';
import { BREAK, sentenceStarts } from '../terminal-text/letters-and-words.ts';
import { phraseSpans } from './query/query-phrase.ts';

/** Characters of a snippet, ellipses included. */
export const SNIPPET_LENGTH_MAX = 240;
const CUT = '…';
/** Control characters, spaces, line ends, and marks that change the writing direction. */
const GAP =
  '\\x00-\\x20\\x7f-\\xa0\\u1680\\u2000-\\u200a\\u200e\\u200f\\u2028-\\u202f\\u205f\\u2066-\\u2069\\u3000';
/** A single space between two words stays as it is; most gaps are that. */
const NOT_ONE_SPACE = new RegExp(`(?! [^${GAP}])[${GAP}]+`, 'g');

interface Match {
  readonly start: number;
  readonly end: number;
  readonly terms: readonly string[];
}

export function snippet(document: MemoryDocument, query: string, phrases: readonly string[] = []): string {
  const terms = new Set(termsOf(query));
  const body = lineOf(document, shownBody(document, terms, phrases));
  const found = matchesIn(body, terms);
  const quoted = phrases.flatMap((phrase) =>
    phraseSpans(body, phrase).map((span) => ({ ...span, terms: termsOfPhrase(phrase) })),
  );
  const matches = quoted.length === 0 ? found : [...quoted, ...found].sort((a, b) => a.start - b.start);
  if (matches.length === 0 && document.kind === 'summary')
    return windowOf(lineOf(document, outcomeIn(document.body)), []);
  const text = matches.length > 0 || body !== '' ? body : snippetLine(document.title);
  return windowOf(text, matches);
}

/** Each line of an observation or a summary is a field or a fact of its own. */
function lineOf({ kind }: MemoryDocument, text: string): string {
  if (kind !== 'observation' && kind !== 'summary') return snippetLine(text);
  return text
    .split('\n')
    .map((line) => snippetLine(line.replace(/^- /, '')))
    .filter((line) => line !== '')
    .join(BREAK);
}

/** A summary from its outcome on: its title repeats the request. The whole of it if words that were looked for are only before. */
function shownBody(
  { kind, title, body }: MemoryDocument,
  terms: ReadonlySet<string>,
  phrases: readonly string[],
): string {
  if (kind !== 'summary' || !body.startsWith('Request: ')) return body;
  const end = AFTER_REQUEST.map((label) => body.search(label)).find((at) => at >= 0);
  if (end === undefined) return body;
  const rest = body.slice(end);
  const holding = new Set(termsOf(`${title}\n${rest}`));
  const isThere = termsOf(body.slice(0, end)).every((term) => !terms.has(term) || holding.has(term));
  const isQuoted = phrases.some((phrase) => phraseSpans(rest, phrase).length === 0);
  return isThere && !isQuoted ? rest : body;
}

/** Its fields begin at one of these, the first that it has. */
const AFTER_REQUEST = [/^(?:Learned|Completed|Done so far): /m, /^(?:Investigated|Unfinished|Next): /m];

/** Fields of a summary after the request; the first that it has is shown. */
const OUTCOMES = [/^(?:Completed|Done so far): /m, /^Learned: /m, /^(?=(?:Unfinished|Investigated|Next): )/m];

/** A summary begins with what was asked, as its title does. Where no word is looked for, what came of it says more. */
function outcomeIn(body: string): string {
  for (const label of OUTCOMES) {
    const found = label.exec(body);
    if (found !== null) return body.slice(found.index + found[0].length);
  }
  return body;
}

/** Its terms, and itself as a term that no word has, so that a phrase counts for more than its separate words. */
function termsOfPhrase(phrase: string): readonly string[] {
  return [...termsOf(phrase), `"${phrase}"`];
}

/** Terminal colours, control characters and line ends become single spaces. */
export function snippetLine(text: string): string {
  return text
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g, ' ')
    .replace(NOT_ONE_SPACE, ' ')
    .trim();
}

function matchesIn(text: string, terms: ReadonlySet<string>): Match[] {
  const matches: Match[] = [];
  for (const { word, start } of wordSpans(text)) {
    const found = termsOfWord(word).filter((term) => terms.has(term));
    if (found.length > 0) matches.push({ start, end: start + word.length, terms: found });
  }
  return matches;
}

function windowOf(text: string, matches: readonly Match[]): string {
  if (text.length <= SNIPPET_LENGTH_MAX) return text;
  const room = SNIPPET_LENGTH_MAX - 2 * CUT.length;
  const { start, end } = bestWindow(matches, room);
  const lead = Math.max(0, Math.floor((room - (end - start)) / 2));
  const from = Math.min(Math.max(0, start - lead), text.length - room);
  const begin =
    from === 0 ? 0 : (sentenceStart(text, from, start, end - room) ?? wordStart(text, from, start));
  const stop = Math.min(text.length, begin + room);
  const finish = stop === text.length ? stop : wordEnd(text, stop, Math.min(end, stop));
  const shown = text.slice(begin, finish).trim();
  return `${begin > 0 ? CUT : ''}${shown}${finish < text.length ? CUT : ''}`;
}

/** The span of at most `room` characters with the most different terms; the first of equals. */
function bestWindow(matches: readonly Match[], room: number): { start: number; end: number } {
  let best = { start: 0, end: 0, different: 0, all: 0 };
  for (const [index, first] of matches.entries()) {
    const different = new Set<string>();
    let all = 0;
    let end = first.end;
    for (let next = index; next < matches.length && matches[next]!.end - first.start <= room; next += 1) {
      for (const term of matches[next]!.terms) different.add(term);
      all += 1;
      end = matches[next]!.end;
    }
    if (different.size > best.different || (different.size === best.different && all > best.all))
      best = { start: first.start, end, different: different.size, all };
  }
  return best;
}

/** The first sentence that begins at `from` or later, else the last before; null if the text up to `needed` would not fit. */
function sentenceStart(text: string, from: number, needed: number, earliest: number): number | null {
  const fitting = sentenceStarts(text).filter((at) => at >= earliest && at <= needed);
  return fitting.find((at) => at >= from) ?? fitting.at(-1) ?? null;
}

/** The first word that begins at `from` or later, but not after `needed`; `from` itself within one long word. */
function wordStart(text: string, from: number, needed: number): number {
  const space = text.indexOf(' ', from - 1);
  if (space >= 0 && space + 1 <= needed) return space + 1;
  return isLowSurrogate(text, from) ? from + 1 : from;
}

function wordEnd(text: string, to: number, needed: number): number {
  const space = text.lastIndexOf(' ', to);
  if (space >= needed && space > 0) return space;
  return isLowSurrogate(text, to) ? to - 1 : to;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
