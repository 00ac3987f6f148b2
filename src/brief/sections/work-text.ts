// Renders a piece of work in one line that fits the room: the request in the person's words, if the outcome does not
// mention it; the most informative sentences about it; and what tools prove.
import {
  concludes,
  impersonal,
  isOfThen,
  judges,
  keptSentences,
  type ObservationLine,
  type SummaryLine,
  topicLeft,
  UNVERIFIED,
} from '../../../projections/index.ts';
import { longWordsOf } from '../../terminal-text/letters-and-words.ts';
import { askedPart } from '../lines/asked-part.ts';
import { clipSentence, withoutErrors } from '../lines/brief-lines.ts';
import { fileNames, unnamed } from '../lines/file-names.ts';
import {
  antecedentsIn,
  beginningOf,
  mostInformative,
  pieceOf,
  problemsIn,
  sentencesIn,
  type TextPiece,
  weightOf,
  withCutsMarked,
  withoutRepeats,
  withoutTreeState,
} from '../lines/informative-text.ts';
import { isStated, normalize } from '../lines/near-duplicate-lines.ts';
import { essence, runnerWords, typed } from './run-commands.ts';
import { remainingIn } from './shared-work.ts';

/** A title of file names only. */
export const TOUCHED = 'Changes to ';
const PROVEN_WEIGHT = 0.1;
/** A title was chosen among many sentences. */
const TITLE_WEIGHT = 1.5;
/** A sentence about what the request names, if the title is not. */
const ASKED_NAME_WEIGHT = 2.5;
/** A title that shares fewer of its words with the request is about something else. */
const BESIDE_SHARE = 0.34;
/** An identifier or a path. */
const NAME = /[\w./-]*(?:[a-z][A-Z]|_|\w\/\w)[\w./-]*\w/g;
const NAME_CHARS_MIN = 6;
/** The share of a line for the request. */
const ASKED_SHARE = 0.31;
/** The quotation marks, and the arrow after them. */
const QUOTE_CHARS = 5;
const ASKED_CHARS_READ = 200;
/** If the outcome shares this many words with the request, the request is left out. */
const ASKED_SHARED_MIN = 3;
/** A request with fewer words says nothing. */
const ASKED_WORDS_MIN = 4;
const ASKED_WORD = /[\p{L}_.-]{4,}|\d+/gu;
const ASKED_SAME_CHARS = 24;
const SAME_CHARS = 40;
const HASH_CHARS = 8;
const HASHES_MAX = 3;
const FILES_OF_ONE_MAX = 6;
/** A row has no more. */
const FILES_KNOWN_MAX = 50;

export interface WorkText {
  /** The line within a given room. */
  readonly within: (charsMax: number) => string;
  /** The same without the request. */
  readonly outcome: (charsMax: number) => string;
  /** How informative its two best sentences are, about 0 to 8. */
  readonly worth: number;
  /** Neither request nor outcome says anything alone; the line is the title. */
  readonly isEmpty: boolean;
}

/**
 * @param shown normalized text of other lines that repeat the person's words
 * @param known normalized text of other lines about the outcome
 * @param stated normalized text about the end of the last session
 * @param isPart its turn has other parts: its files are not all of them
 */
export function workText(
  row: ObservationLine,
  summary: SummaryLine | undefined,
  shown: string,
  known = '',
  stated = '',
  isPart = false,
): WorkText {
  const asked = askedText(row, summary, shown);
  const sentences = sentencesIn(row.narrative);
  const name = normalize(row.title.replace(/…$/, ''));
  const own = sentences.find((one) => normalize(one).includes(name));
  // A title taken from the final answer counts as one of its sentences; other titles say what the work was about.
  const isSentence = own !== undefined && row.commits.length === 0;
  // The request names what another part of the answer is about.
  const asks = namesOf(summary?.request ?? '');
  const isAsked = (text: string) => asks.some((one) => text.includes(one));
  const isBeside =
    !isAsked(row.title) &&
    row.facts.some(isAsked) &&
    shareOf(row.title, summary?.request ?? '') < BESIDE_SHARE;
  const isNoHead = isSentence || (isBeside && row.commits.length === 0) || row.title.startsWith(TOUCHED);
  const title = isNoHead ? '' : withoutTreeState(row.title);
  const head = `${title}${commitsText(row)}`.trim();
  // What was said last in a turn without an end need not hold.
  const learned =
    summary === undefined || summary.end !== 'answered'
      ? []
      : sentencesIn(withoutErrors(summary.learned ?? ''));
  const bodies = bodiesIn(row);
  // Only the last part of a turn has a summary: what failed in an earlier one may pass now.
  const facts = summary === undefined ? row.facts.filter((one) => !isOfThen(one)) : row.facts;
  const said = [sentences, facts, learned].map((texts) => texts.map(stop));
  const antecedents = new Map([...antecedentsIn(bodies.map(stop), ...said), ...problemsIn(...said)]);
  const all = withoutRepeats(
    [...bodies, ...sentences.filter((one) => isSentence || one !== own), ...facts, ...learned]
      .filter((one) => !isLesson(one, known) && !isStated(one, stated))
      .map(withoutTreeState)
      .filter((one) => one !== '')
      .map(stop),
    `${known} ${normalize(head)}`,
  );
  const weighed = [
    ...all.map((text, at) =>
      pieceOf(
        text,
        weightOf(text, at) +
          (isSentence && text === stop(own) && !isBeside ? TITLE_WEIGHT : 0) +
          (isBeside && isAsked(text) ? ASKED_NAME_WEIGHT : 0),
        antecedents.get(text),
      ),
    ),
    ...provenOf(row, `${head} ${all.join(' ')}`, isPart).map((text) => pieceOf(text, PROVEN_WEIGHT)),
  ];
  const pieces = withListsMarked(
    weighed.filter(({ weight }) => weight >= 0),
    row.facts.map(stop),
  );
  const weights = pieces.map(({ weight }) => weight).sort((a, b) => b - a);
  const answer = answerOf(row, summary);
  const outcome = (charsMax: number) =>
    answer === null
      ? mostInformative(head, pieces, charsMax)
      : beginningOf(answer.length <= charsMax ? answer : fromJudgement(answer), charsMax);
  return {
    within: (charsMax) => withRequest(asked, outcome, charsMax) || clipSentence(row.title, charsMax),
    outcome,
    worth: (weights[0] ?? 0) + (weights[1] ?? 0) / 2,
    isEmpty: asked === '' && head === '' && pieces.length === 0,
  };
}

/** With a mark at the end of each list that is not whole. @param all texts with the whole lists */
function withListsMarked(pieces: readonly TextPiece[], all: readonly string[]): TextPiece[] {
  const texts = pieces.map(({ text }) => text);
  const marked = new Map(withCutsMarked(texts, all).map((text, at) => [texts[at]!, text]));
  return pieces.map(({ text, dependsOn = '', ...piece }) => ({
    ...piece,
    text: marked.get(text)!,
    dependsOn: (marked.get(dependsOn) ?? dependsOn) || undefined,
  }));
}

function namesOf(request: string): string[] {
  return (request.match(NAME) ?? []).filter((one) => one.length >= NAME_CHARS_MIN);
}

/** The share of its words that another text has. */
function shareOf(text: string, other: string): number {
  const words = longWordsOf(text);
  const known = new Set(longWordsOf(other));
  return words.length === 0 ? 1 : words.filter((word) => known.has(word)).length / words.length;
}

/** What the agent answered where nothing was done; it says first what was asked for. */
function answerOf(row: ObservationLine, summary: SummaryLine | undefined): string | null {
  const isAnswer = row.commits.length + row.files.length === 0 && summary?.completed === null;
  return isAnswer && summary.learned !== null ? beforeOtherTopic(summary.learned) : null;
}

/** Findings without what the agent thinks of them may be wrong: from there on, if it does not only number them. */
function fromJudgement(answer: string): string {
  const sentences = sentencesIn(answer);
  const at = sentences.filter(judges).length === 1 ? sentences.findIndex(judges) : -1;
  const judged = sentences.slice(Math.max(0, at)).join(' ');
  return at < 0 || NUMBERS.test(judged) ? answer : judged;
}

const NUMBERS = /\b(?:first|second|third|former|latter)\b|#\d|\b[1-9]\b(?= (?:and|is|are)\b|,)/i;

/** From its conclusion, up to where it goes on about something else, without remarks on the way. */
function beforeOtherTopic(answer: string): string {
  // What is left out may stand before the next sentence.
  const all = sentencesIn(answer).flatMap((one) => one.split(/(?<=: \[…\]) /));
  const sentences = all.slice(Math.max(0, all.findLastIndex(concludes)));
  const at = sentences.findIndex((one, index) => index > 0 && topicLeft(one) === 'rest');
  const before = at < 0 ? sentences : sentences.slice(0, at);
  const kept = keptSentences(before, (one) => one === before[0] || topicLeft(one) === null);
  return kept.length === all.length ? answer : kept.join(' ');
}

/** Whether a lesson states it: "The cause: the clock …" is listed as "The clock …", and may be cut there. */
function isLesson(sentence: string, known: string): boolean {
  const start = normalize(impersonal(sentence)).slice(0, SAME_CHARS);
  return start.length === SAME_CHARS && known.includes(start);
}

function withRequest(asked: string, outcome: (charsMax: number) => string, charsMax: number): string {
  const text = outcome(charsMax);
  const names = new Set(longWordsOf(asked.slice(0, ASKED_CHARS_READ)));
  const isMentioned = new Set(longWordsOf(text).filter((word) => names.has(word))).size >= ASKED_SHARED_MIN;
  if (asked === '' || isMentioned) return text;
  if (asked.length + QUOTE_CHARS + text.length <= charsMax)
    return text === '' ? `“${asked}”` : `“${asked}” → ${text}`;
  // The outcome first; the room it leaves goes to the request.
  const least = Math.min(asked.length, Math.round(charsMax * ASKED_SHARE)) + QUOTE_CHARS;
  const result = outcome(charsMax - least);
  if (result === '') return `“${askedPart(asked, charsMax - 2)}”`;
  return `“${askedPart(asked, Math.max(least, charsMax - result.length) - QUOTE_CHARS)}” → ${result}`;
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
  const text = summary?.request ?? '';
  const start = normalize(text).slice(0, SAME_CHARS);
  if ((text.match(ASKED_WORD) ?? []).length < ASKED_WORDS_MIN || shown.includes(start)) return '';
  return normalize(row.title).includes(start.slice(0, ASKED_SAME_CHARS)) ? '' : text;
}

function commitsText(row: ObservationLine): string {
  const hashes = remainingIn(row).flatMap(({ hash, unverified }) =>
    hash === null ? [] : [`${hash.slice(0, HASH_CHARS)}${unverified === undefined ? '' : UNVERIFIED}`],
  );
  return hashes.length === 0 ? '' : ` [${hashes.slice(0, HASHES_MAX).join(', ')}]`;
}

/** The sentences of commit messages; of a commit that is not the title its subject and the first one. */
function bodiesIn({ commits, title }: ObservationLine): string[] {
  return commits.flatMap(({ subject, body }) => {
    const [first, ...others] = sentencesIn(body);
    if (first === undefined) return [];
    return isTitle(subject, title) ? [first, ...others] : [`${subject} — ${first}`];
  });
}

function isTitle(subject: string, title: string): boolean {
  return normalize(subject).includes(normalize(title));
}

/** @param shown the text that the line has already */
function provenOf(
  { tests, commits, files, title }: ObservationLine,
  shown: string,
  isPart: boolean,
): string[] {
  const last = tests.findLast(({ after, runnerLine }) => runnerWords(after, runnerLine) !== null);
  const others = commits.filter(({ subject, body }) => body === '' && !isTitle(subject, title));
  const more = unnamed(files, shown);
  const inAll =
    more.length < files.length
      ? ` (${files.length < FILES_KNOWN_MAX ? '' : 'at least '}${files.length} in all)`
      : '';
  const filesLabel = `Files${isPart ? ' of this part' : ''}${inAll}`;
  return [
    ...(last === undefined
      ? []
      : [`Tests: \`${typed(essence(last.command) || last.command)}\` ${last.after} (${last.runnerLine}).`]),
    ...(others.length === 0 ? [] : [`Also committed: ${others.map(({ subject }) => subject).join('; ')}.`]),
    ...(more.length === 0 ? [] : [`${filesLabel}: ${fileNames(more, FILES_OF_ONE_MAX)}.`]),
  ];
}

function stop(text: string): string {
  return /[.!?…。！？]$|\[…\]$/.test(text) ? text : `${text}.`;
}
