// Renders a piece of work in one line that fits the room: the request in the person's words, if the outcome does not
// mention it; the most informative sentences about it; and what tools prove.
import type { ObservationLine, SummaryLine } from '../../../projections/index.ts';
import { longNames } from '../../terminal-text/letters-and-words.ts';
import { clipSentence, withoutErrors } from '../lines/brief-lines.ts';
import { fileNames, unnamed } from '../lines/file-names.ts';
import {
  mostInformative,
  pieceOf,
  sentencesIn,
  weightOf,
  withoutRepeats,
} from '../lines/informative-text.ts';
import { normalize } from '../lines/near-duplicate-lines.ts';
import { essence, runnerWords } from './run-commands.ts';

export interface WorkText {
  /** The line within a given room; `askedShare`: the largest share of it for the request. */
  readonly within: (charsMax: number, askedShare?: number) => string;
  /** The same without the request. */
  readonly outcome: (charsMax: number) => string;
  /** How informative its two best sentences are, about 0 to 8. */
  readonly worth: number;
  /** The request was only to commit, push or tidy up the work of other pieces. */
  readonly errand: boolean;
}

/**
 * @param shown normalized text of other lines that repeat the person's words
 * @param known normalized text of other lines about the outcome
 */
export function workText(
  row: ObservationLine,
  summary: SummaryLine | undefined,
  shown: string,
  known = '',
): WorkText {
  const asked = askedText(row, summary, shown);
  const words = subjectWords(asked);
  const sentences = sentencesIn(row.narrative);
  const name = normalize(row.title.replace(/…$/, ''));
  const own = sentences.find((one) => normalize(one).includes(name));
  // A title taken from the final answer counts as one of its sentences; other titles say what the work was about.
  const isSentence = own !== undefined && row.commits.length === 0;
  const title = isSentence || TOUCHED.test(row.title) ? '' : row.title;
  const head = `${title}${commitsText(row)}`.trim();
  const sentencesToUse = toThePoint(sentences.filter((one) => isSentence || one !== own));
  const all = withoutRepeats(
    [...bodiesIn(row), ...sentencesToUse, ...row.facts, ...learnedIn(summary?.learned ?? '')].map((one) =>
      stop(plainly(one.startsWith(`${row.title}: `) ? one.slice(row.title.length + 2) : one)),
    ),
    `${known} ${normalize(head)}`,
  );
  const weighed = [
    ...all.map((text, at) => {
      const chosen = isSentence && text === stop(plainly(own)) ? TITLE_WEIGHT : 0;
      return pieceOf(text, weightOf(text, at) + chosen + answers(text, words));
    }),
    ...provenOf(row, `${head} ${all.join(' ')}`).map((text) => pieceOf(text, PROVEN_WEIGHT)),
  ];
  const pieces = weighed.filter(({ weight }) => weight >= PIECE_WEIGHT_MIN);
  const weights = pieces.map(({ weight }) => weight).sort((a, b) => b - a);
  const worth = (weights[0] ?? 0) + (weights[1] ?? 0) / 2;
  const within = (charsMax: number, askedShare?: number) => {
    const text = mostInformative(head, pieces, charsMax);
    const fitsWhole = asked.length + QUOTE_CHARS + text.length <= charsMax;
    if (asked === '' || (!fitsWhole && shared(text, words) >= ASKED_SHARED_MIN)) return text;
    if (fitsWhole) return text === '' ? `“${asked}”` : `“${asked}” → ${text}`;
    const share =
      askedShare ?? (pieces.some(({ weight }) => weight >= TELLS) ? ASKED_SHARE : ASKED_ALONE_SHARE);
    // The outcome first; the room it leaves goes to the request.
    const least = Math.min(asked.length, Math.round(charsMax * share)) + QUOTE_CHARS;
    const result = mostInformative(head, pieces, charsMax - least);
    if (result === '') return `“${clipSentence(asked, charsMax - 2)}”`;
    return `“${clipSentence(asked, Math.max(least, charsMax - result.length) - QUOTE_CHARS)}” → ${result}`;
  };
  return {
    within,
    outcome: (charsMax) => mostInformative(head, pieces, charsMax),
    worth,
    errand: ERRAND.test(summary?.request ?? ''),
  };
}

/** Maps each summary to the last observation of its turn: a turn's parts share one summary. */
export function summariesOfRows(
  observations: readonly ObservationLine[],
  summaries: readonly SummaryLine[],
  end: ObservationLine | undefined,
): ReadonlyMap<ObservationLine, SummaryLine> {
  const found = new Map<ObservationLine, SummaryLine>();
  for (const summary of summaries) {
    const last = observations.find(({ turn }) => turn !== null && turn === summary.turn);
    if (last !== undefined && last !== end) found.set(last, summary);
  }
  return found;
}

/** The request; empty if it says nothing, or nothing beyond the title and other lines. */
function askedText(row: ObservationLine, summary: SummaryLine | undefined, shown: string): string {
  const text = (summary?.request ?? '').replace(FILLS, '');
  const start = normalize(text).slice(0, SAME_CHARS);
  const words = (text.match(CONTENT) ?? []).filter((word) => !EMPTY.test(word));
  if (words.length < ASKED_WORDS_MIN || shown.includes(start)) return '';
  return normalize(row.title).includes(start.slice(0, ASKED_SAME_CHARS)) ? '' : text;
}

/** Words before the request itself; a "no" is part of it. */
const FILLS =
  /^(?:(?:ah|oh|ok(?:ay)?|yes|yeah|and|but|so|also|now|then|well|right|great|cool|perfect|hmm|please|(?:can|could|would) you(?: please)?|i think|let(?:'|’)?s)\b[\s,:;.!–—-]*)+/i;

/** "So the check never ran" → "The check never ran". */
function plainly(sentence: string): string {
  const rest = sentence
    .replace(LEAD, '')
    .replace(
      /^(?:(?:so|and|yes|right|first|now|next|in short|in other words)\b[\s,:;—–-]*)+(?=\S+ \S+ )/i,
      '',
    );
  return /^\p{Ll}\p{Ll}*[\s,'’]/u.test(rest) ? rest.charAt(0).toUpperCase() + rest.slice(1) : rest;
}

/** The lead of a list says little about one of its items, unless it names a thing. */
const LEAD =
  /^(?:what|how|where|why|the rest|changes?|new|key|here|your|from|(?:two|three|four|five|six|\d+) [a-z]+|main|other|all)\b[^:.“"]{0,60}: (?=\S+ \S)/i;

function subjectWords(asked: string): ReadonlySet<string> {
  return new Set(longNames(asked.slice(0, ASKED_CHARS_READ)));
}

function shared(text: string, words: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : new Set(longNames(text).filter((word) => words.has(word))).size;
}

/** A sentence that shares words with the request is more informative. */
function answers(text: string, words: ReadonlySet<string>): number {
  return Math.min(ANSWERS_MAX, shared(text, words) * ANSWERS_WEIGHT);
}

const ERRAND =
  /^(?:(?:ok|yes|now|please|and|then|great)\b[\s,]*)*(?:commit|push|fold(?:ed)?|squash|rebase|merge|delete|clean)\b\S*(?:\s+\S+){0,6}\s*$/i;
const ASKED_CHARS_READ = 200;
/** If the outcome shares this many words with the request, the request is left out. */
const ASKED_SHARED_MIN = 3;
const ANSWERS_WEIGHT = 0.3;
const ANSWERS_MAX = 0.9;
/** A title of file names only. */
export const TOUCHED = /^Changes to /;
const PROVEN_WEIGHT = 0.1;
/** A less informative sentence is left out even if there is room. */
const PIECE_WEIGHT_MIN = 0;
/** A title was chosen among many sentences. */
const TITLE_WEIGHT = 1.5;
/** The share of a line for the request. */
const ASKED_SHARE = 0.31;
/** The same if little is known of the outcome. */
const ASKED_ALONE_SHARE = 0.72;
const TELLS = 2.4;
/** The quotation marks, and the arrow after them. */
const QUOTE_CHARS = 5;
const ASKED_WORDS_MIN = 4;
const CONTENT = /[\p{L}_.-]{4,}|\d+/gu;
const EMPTY =
  /^(?:with|your|just|have|that|this|them|then|they|what|when|from|also|through|please|would|could|should|want|need|like|look|into|ahead|including|some|about)$/i;
const ASKED_SAME_CHARS = 24;
const SAME_CHARS = 40;

function commitsText({ commits }: ObservationLine): string {
  const hashes = commits.flatMap(({ hash }) => (hash === null ? [] : [hash.slice(0, HASH_CHARS)]));
  return hashes.length === 0 ? '' : ` [${hashes.slice(0, HASHES_MAX).join(', ')}]`;
}

/** The sentences of commit messages; a subject that is not the title comes before the first one. */
function bodiesIn({ commits, title }: ObservationLine): string[] {
  return commits.flatMap(({ subject, body }) => {
    const [first, ...others] = sentencesIn(body);
    if (first === undefined) return [];
    return isTitle(subject, title) ? [first, ...others] : [`${subject} — ${first}`, ...others];
  });
}

function isTitle(subject: string, title: string): boolean {
  return normalize(subject).includes(normalize(title.replace(/…$/, '')));
}

/** Sentences that make sense without what they referred to. */
function learnedIn(learned: string): string[] {
  return sentencesIn(withoutErrors(learned)).filter(
    (one) => one.length >= LEARNED_CHARS_MIN && !/[:：]$/.test(one) && !LEANS.test(one),
  );
}

const FILES_OF_ONE_MAX = 6;
const LEARNED_CHARS_MIN = 30;
const LEANS = /^(?:this|that|it|line \d)\b/i;

/** Without leading sentences that address the person, and without announced steps. */
function toThePoint(sentences: readonly string[]): readonly string[] {
  const first = sentences.findIndex((sentence) => !TO_THE_PERSON.test(sentence));
  return sentences
    .slice(Math.max(0, first))
    .filter(
      (sentence) => !STEP.test(sentence) || (sentence.length >= STEP_CHARS_MIN && THING.test(sentence)),
    );
}

const HASH_CHARS = 8;
const HASHES_MAX = 3;
const TO_THE_PERSON =
  /^(?:and I\b|you(?:r|(?:'|’)\w+)?|I(?:(?:'|’)\w+)?|yes|no|nope|so|here(?:'|’)?s?|good|right|well|based on|answering|numerically|everything|all (?:tests|done|good|green)|done with|the (?:user|above|analysis is))\b/i;
/** A longer step that names a thing is kept: it may be the only report of what was done. */
const STEP_CHARS_MIN = 60;
const THING = /[a-z][A-Z]\w|\w_\w|\w\.\w|\w\/\w/;
const STEP =
  /^(?:first,|now\b|next\b|need to|expected\b|still \w+ing|close \S+, commit|right,? I|I have (?:a|the)|the issue is clear|overall\b|this is (?:expected|the)|nothing rebuilt)|\bis (?:complete|done) and verified\b/i;

/** @param shown the text that the line has already */
function provenOf({ tests, commits, files, title }: ObservationLine, shown: string): string[] {
  const last = tests.findLast(({ after, runnerLine }) => runnerWords(after, runnerLine) !== null);
  const others = commits.filter(({ subject, body }) => body === '' && !isTitle(subject, title));
  const more = unnamed(files, shown);
  return [
    ...(last === undefined
      ? []
      : [`Tests: \`${essence(last.command) || last.command}\` ${last.after} (${last.runnerLine}).`]),
    ...(others.length === 0 ? [] : [`Also committed: ${others.map(({ subject }) => subject).join('; ')}.`]),
    ...(more.length === 0 ? [] : [`Files: ${fileNames(more, FILES_OF_ONE_MAX)}.`]),
  ];
}

export function stop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
