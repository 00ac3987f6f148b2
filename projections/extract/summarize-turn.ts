// Summarizes a turn in six fields. What the agent says is quoted; what was investigated and committed comes from tools.
import { summaryId } from '../ids/item-id.ts';
import type { TurnRow } from '../sessions/session-rows.ts';
import type { FinalAnswer } from './answer/final-answer.ts';
import { PARAGRAPH, quoteOf } from './answer/quote.ts';
import { baseName } from './shell/file-paths.ts';
import { offerOrStep, shortStep, stepOf } from './steps.ts';
import { cutAtWord, fittingSentences } from './text/sentences.ts';
import { ASKED } from './text/title-form.ts';
import { isOrder } from './text/wording.ts';
import type { ObservationRow, Step, SummaryRow, TurnEnd } from './transcript/observation.ts';
import type { Prompt } from './transcript/turn-transcript.ts';
import { type Request, withCommand } from './turn-request.ts';
import { NAMES_KEPT_MAX, type TurnWork } from './turn-work.ts';

const FIELD_CHARS_MAX = 850;
const PROVEN_CHARS_MAX = 400;
const TASKS_MAX = 4;
/** So many questions ask for decisions; one is an offer. */
const QUESTIONS_MIN = 3;
const NAMES_MAX = 6;
const TITLE_CHARS_MAX = 90;
const ASKED_CHARS_MAX = 36;
/** Two titles are the same when they begin with this many equal characters. */
const SAME_CHARS = 40;

export interface SummarySources {
  readonly turn: TurnRow;
  readonly userPrompts: readonly Prompt[];
  readonly request: Request;
  readonly end: TurnEnd;
  readonly finalAnswer: FinalAnswer | null;
  /** Of a turn without an end: its last reply, if it is a report. */
  readonly saidLast: FinalAnswer | null;
  /** Of all parts. */
  readonly work: TurnWork;
  /** The observation of the last part. */
  readonly last: ObservationRow;
  /** Whether an earlier part's title repeats the request. */
  readonly isRepeated: boolean;
  /** Evidence of the last part. */
  readonly events: readonly string[];
}

export function summaryOf({
  turn,
  userPrompts,
  request,
  end,
  finalAnswer,
  saidLast,
  work,
  last,
  isRepeated,
  events: evidence,
}: SummarySources): SummaryRow {
  const { changed } = work;
  const modified = work.filesModified.map(baseName);
  const doing = finalAnswer?.interim === true ? work.launched.slice(0, TASKS_MAX) : [];
  const isAll = work.launched.length <= TASKS_MAX;
  const done = [
    ...(doing.length > 0 ? [`Worked on: ${doing.join('; ')}${isAll ? '' : '; and more'}.`] : []),
    ...work.commits.map(
      ({ hash, message }) => `Committed${hash === null ? '' : ` ${hash}`}: ${message.split('\n')[0]}.`,
    ),
  ];
  const proven = fittingSentences([...new Set(done)], PROVEN_CHARS_MAX);
  const quote = quoteOf(finalAnswer, FIELD_CHARS_MAX - proven.length, changed ? null : request.words);
  const said = quote === null ? quoteOf(saidLast, FIELD_CHARS_MAX) : null;
  const changes = modified.length > 0 ? `Changed ${listed(modified)}.` : null;
  const completed = changed
    ? [quote ?? '', proven].filter((text) => text !== '').join(PARAGRAPH) || changes
    : null;
  const events = [
    ...userPrompts.flatMap((one) => one.events),
    ...(finalAnswer?.events ?? []),
    ...(saidLast?.events ?? []),
    ...evidence,
  ];
  return {
    id: summaryId(turn),
    turn: turn.id,
    agent: turn.agent,
    session: turn.session,
    workdir: turn.workdir,
    at: last.at,
    order: `${last.order.slice(0, -2)} y`,
    title: turnTitle(request, last, isRepeated, completed !== null),
    unfinished: turn.unfinished,
    end: turn.unfinished ? null : end,
    request:
      userPrompts[0]?.plan === true ? request.words : withCommand(userPrompts[0]?.text ?? '', request.words),
    requestBy: userPrompts.some(({ plan }) => plan) ? 'agent' : 'person',
    investigated: work.filesOpened.length === 0 ? null : `Read ${listed(work.filesOpened.map(baseName))}.`,
    learned: changed ? said : (quote ?? said),
    completed,
    nextSteps: [
      ...stepsIn(finalAnswer),
      ...[...(finalAnswer?.questions ?? []), ...work.questions].map(
        (text): Step => ({ kind: 'asked', text }),
      ),
    ].map(shortStep),
    notes: textOf(finalAnswer?.notes ?? []),
    files: [...new Set([...work.filesModified, ...work.filesRead])],
    parts: last.part,
    events: [...new Set(events)].sort(),
  };
}

/** The request as title, because the observations' titles state the outcome. What is no order, or was not done, must not read as done. */
function turnTitle(request: Request, last: ObservationRow, isRepeated: boolean, isDone: boolean): string {
  const { topic, words, vague } = request;
  if (words === '') return last.title;
  // The observation's title may quote the request already.
  if (vague && last.title.startsWith('“')) return last.title;
  if (vague) return cutAtWord(`“${cutAtWord(words, ASKED_CHARS_MAX)}”: ${last.title}`, TITLE_CHARS_MAX);
  const isPlain = topic.endsWith('?') || (isDone && isOrder(topic));
  const isUsed = isRepeated || repeatsRequest(last, request);
  return cutAtWord(isPlain && !isUsed ? topic : `${ASKED}${topic}`, TITLE_CHARS_MAX);
}

/** Whether a part's title repeats the request. */
export function repeatsRequest({ title }: ObservationRow, { topic }: Request): boolean {
  const words = title.startsWith(ASKED) ? title.slice(ASKED.length) : title;
  return words.startsWith(topic.slice(0, SAME_CHARS));
}

function stepsIn(finalAnswer: FinalAnswer | null): Step[] {
  const { nextSteps, interim } = finalAnswer ?? { nextSteps: [], interim: false };
  if (interim) return nextSteps.map((text) => ({ kind: 'announced', text }));
  const isOfChoices = nextSteps.filter((one) => one.endsWith('?')).length >= QUESTIONS_MIN;
  return nextSteps.map(isOfChoices ? stepOf : offerOrStep);
}

function listed(names: readonly string[]): string {
  if (names.length <= NAMES_MAX) return names.join(', ');
  // Of a list that is not complete, the number of the others is unknown.
  const more = names.length < NAMES_KEPT_MAX ? ` ${names.length - NAMES_MAX}` : ' many';
  return `${names.slice(0, NAMES_MAX).join(', ')} and${more} more`;
}

function textOf(sentences: readonly string[]): string | null {
  const text = fittingSentences([...new Set(sentences.filter((one) => one !== ''))], FIELD_CHARS_MAX);
  return text === '' ? null : text;
}
