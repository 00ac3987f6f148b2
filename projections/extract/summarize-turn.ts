// Summarizes a turn in six fields. Sentences are the agent's; what was investigated and committed comes from tools.
import { summaryId } from '../ids/item-id.ts';
import type { TurnRow } from '../sessions/session-rows.ts';
import type { FinalAnswer } from './answer/final-answer.ts';
import { answerFacts } from './observation-facts.ts';
import { baseName } from './shell/file-paths.ts';
import { cutAtWord, fittingSentences, isDense, wordCount } from './text/sentences.ts';
import { ASKED } from './text/title-form.ts';
import {
  givesReason,
  guesses,
  impersonal,
  isHollow,
  isOrder,
  keptSentences,
  namesProblem,
  opensBlock,
  proposes,
  statesDone,
} from './text/wording.ts';
import type { ObservationRow, SummaryRow } from './transcript/observation.ts';
import type { Prompt } from './transcript/turn-transcript.ts';
import { type Request, withCommand } from './turn-request.ts';
import { NAMES_KEPT_MAX, type TurnWork } from './turn-work.ts';

const FIELD_CHARS_MAX = 850;
const SENTENCES_MAX = 4;
const ITEMS_MAX = 8;
const TASKS_MAX = 4;
const NAMES_MAX = 6;
const TITLE_CHARS_MAX = 90;
const ASKED_CHARS_MAX = 36;
/** Two titles are the same when they begin with this many equal characters. */
const SAME_CHARS = 40;
const LEARNED_ITEMS_MAX = 3;
const OUTCOME_WORDS_MIN = 3;

/** What a proposed change would do, and who would make it. */
const HOPES = /^(?:this way|with this|that way)\b.*\b(?:will|won['’]t)\b/i;
const OF_US = /\bwe\b(?!['’]ve| have| had| saw| found)/i;

/** A condition, an advice, or what the person shall look at. */
const NO_OUTCOME =
  /^(?:if|unless|I agree|you (?:may|might|can|should))\b|\brecommend\b|\bto (?:confirm|verify)\b/i;

/** A state on the way. */
const PASSES = /\byet\b|^expected\b/i;

export interface SummarySources {
  readonly turn: TurnRow;
  readonly userPrompts: readonly Prompt[];
  readonly request: Request;
  readonly finalAnswer: FinalAnswer | null;
  /** Of all parts. */
  readonly work: TurnWork;
  /** The observation of the last part. */
  readonly last: ObservationRow;
  /** Whether an earlier part's title repeats the request. */
  readonly isRepeated: boolean;
  /** The turn was cut off: its last reply is no outcome. */
  readonly isCutOff: boolean;
  /** Evidence of the last part. */
  readonly events: readonly string[];
}

export function summaryOf({
  turn,
  userPrompts,
  request,
  finalAnswer,
  work,
  last,
  isRepeated,
  isCutOff,
  events: evidence,
}: SummarySources): SummaryRow {
  const { changed } = work;
  const modified = work.filesModified.map(baseName);
  // A sentence that introduces a list says nothing without it.
  const sentences = keptSentences(
    finalAnswer?.sentences ?? [],
    (one) =>
      finalAnswer?.loose.includes(one) !== true &&
      !isHollow(one) &&
      !opensBlock(one) &&
      !proposes(one) &&
      !guesses(one) &&
      !ASKS.test(one) &&
      (changed || !(HOPES.test(one) || OF_US.test(one))),
  );
  const learns = keptSentences(sentences, (one) => givesReason(one) && !PASSES.test(one)).map(impersonal);
  const statements = keptSentences(
    sentences,
    (one) =>
      !givesReason(one) &&
      !namesProblem(one) &&
      (statesDone(impersonal(one)) || (!NO_OUTCOME.test(one) && !isThin(one))),
  ).map(impersonal);
  const learned = changed
    ? learns
    : [
        ...keptSentences(sentences, (one) => !isThin(one) || statesDone(one)).map(impersonal),
        ...answerFacts(
          (finalAnswer?.points ?? []).filter(
            (point) => isDone(point) && !isOrder(point.text) && !isOrder(point.lead),
          ),
          LEARNED_ITEMS_MAX,
          true,
        ).map(withFullStop),
      ];
  const doing = finalAnswer?.interim === true ? work.launched.slice(0, TASKS_MAX) : [];
  const completed = changed
    ? [
        ...(finalAnswer?.interim === true && doing.length > 0 ? [`Worked on: ${doing.join('; ')}.`] : []),
        ...(finalAnswer?.interim === true
          ? isCutOff
            ? []
            : statements.filter(statesDone).slice(-SENTENCES_MAX)
          : statements.slice(0, SENTENCES_MAX)),
        ...answerFacts((finalAnswer?.points ?? []).filter(isDone), ITEMS_MAX, true).map(withFullStop),
        ...work.commits.map(
          ({ hash, message }) => `Committed${hash === null ? '' : ` ${hash}`}: ${message.split('\n')[0]}.`,
        ),
      ]
    : [];
  const events = [...userPrompts.flatMap((one) => one.events), ...(finalAnswer?.events ?? []), ...evidence];
  return {
    id: summaryId(turn),
    turn: turn.id,
    agent: turn.agent,
    session: turn.session,
    workdir: turn.workdir,
    at: last.at,
    order: `${last.order.slice(0, -2)} y`,
    title: turnTitle(request, last, isRepeated),
    unfinished: turn.unfinished,
    request:
      userPrompts[0]?.plan === true ? request.words : withCommand(userPrompts[0]?.text ?? '', request.words),
    requestBy: userPrompts.some(({ plan }) => plan) ? 'agent' : 'person',
    investigated: work.filesOpened.length === 0 ? null : `Read ${listed(work.filesOpened.map(baseName))}.`,
    learned: textOf(learned),
    completed: textOf(completed) ?? (modified.length > 0 ? `Changed ${listed(modified)}.` : null),
    nextSteps: [
      ...(finalAnswer?.nextSteps ?? []).map(nextStep),
      ...[...(finalAnswer?.questions ?? []), ...work.questions].map(openQuestion),
    ],
    notes: textOf(finalAnswer?.notes ?? []),
    files: [...new Set([...work.filesModified, ...work.filesRead])],
    parts: last.part,
    events: [...new Set(events)].sort(),
  };
}

/** The request as title, because the observations' titles state the outcome. */
function turnTitle(request: Request, last: ObservationRow, isRepeated: boolean): string {
  if (request.vague)
    return cutAtWord(`“${cutAtWord(request.words, ASKED_CHARS_MAX)}”: ${last.title}`, TITLE_CHARS_MAX);
  return cutAtWord(
    isRepeated || repeatsRequest(last, request) ? `${ASKED}${request.topic}` : request.topic,
    TITLE_CHARS_MAX,
  );
}

/** Whether a part's title repeats the request. */
export function repeatsRequest({ title }: ObservationRow, { topic }: Request): boolean {
  const words = title.startsWith(ASKED) ? title.slice(ASKED.length) : title;
  return words.startsWith(topic.slice(0, SAME_CHARS));
}

/** Whether a point states something done, and is not proposed, to be checked, or only found. */
function isDone({ text, altered, item }: FinalAnswer['points'][number]): boolean {
  return item && !altered && !proposes(text) && !guesses(text) && !ASKS.test(text);
}

const ASKS = /[?？]\s*$|\bdo you\b/i;

/** "Now something long." */
function isThin(sentence: string): boolean {
  return wordCount(impersonal(sentence)) < OUTCOME_WORDS_MIN && !isDense(sentence);
}

function openQuestion(sentence: string): string {
  return cutAtWord(`Open question: ${sentence}`, 220);
}

function listed(names: readonly string[]): string {
  if (names.length <= NAMES_MAX) return names.join(', ');
  // Of a list that is not complete, the number of the others is unknown.
  const more = names.length < NAMES_KEPT_MAX ? ` ${names.length - NAMES_MAX}` : ' many';
  return `${names.slice(0, NAMES_MAX).join(', ')} and${more} more`;
}

/** "Would you like me to move it to paths?" → "Offered: move it to paths". */
function nextStep(sentence: string): string {
  const offer =
    /^(?:so,? )?(?:would you like me to|do you want me to|want me to|shall I|should I|let me know if you(?:'|’)?d like me to)\s+(.+?)\??$/i.exec(
      sentence,
    );
  return cutAtWord(offer === null ? sentence : `Offered: ${offer[1]}`, 220);
}

function textOf(sentences: readonly string[]): string | null {
  const text = fittingSentences([...new Set(sentences.filter((one) => one !== ''))], FIELD_CHARS_MAX);
  return text === '' ? null : text;
}

function withFullStop(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}
