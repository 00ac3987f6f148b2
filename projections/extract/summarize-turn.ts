// Summarizes a turn in six fields. Sentences are the agent's; what was investigated and committed comes from tools.
import { summaryId } from '../ids/item-id.ts';
import type { FinalAnswer } from './answer/final-answer.ts';
import { answerBefore } from './earlier-words.ts';
import { unanswered } from './evidence/chosen-answers.ts';
import type { GatheredEvidence } from './evidence/evidence.ts';
import { launchedBy } from './evidence/launched-work.ts';
import { answerFacts } from './observation-facts.ts';
import { baseName } from './shell/file-paths.ts';
import { capital, cutAtWord, fittingSentences } from './text/sentences.ts';
import { altersItems, givesReason, impersonal, isHollow, opensBlock } from './text/wording.ts';
import type { ObservationRow, SummaryRow } from './transcript/observation.ts';
import { isCutOff, type TurnTranscript } from './transcript/turn-transcript.ts';
import { type Request, withCommand } from './turn-request.ts';

const FIELD_CHARS_MAX = 850;
const SENTENCES_MAX = 4;
const ITEMS_MAX = 8;
const TASKS_MAX = 4;
const NAMES_MAX = 6;
const TITLE_CHARS_MAX = 90;
const ASKED_CHARS_MAX = 36;
/** Two titles are the same when they begin with this many equal characters. */
const SAME_CHARS = 40;
const OPENING_CHARS_MAX = 60;
const ANSWER_SENTENCES_MAX = 7;

export function summaryOf(
  transcript: TurnTranscript,
  request: Request,
  finalAnswer: FinalAnswer | null,
  gathered: readonly GatheredEvidence[],
  observations: readonly ObservationRow[],
): SummaryRow {
  const { turn, userPrompts, toolUses } = transcript;
  const changed = gathered.some((part) => part.changed);
  const last = observations.at(-1)!;
  const errors = gathered.flatMap((part) => part.errors).filter(({ fixedBy }) => fixedBy !== null);
  const commits = gathered.flatMap((part) => part.commits);
  const modified = [...new Set(gathered.flatMap((part) => part.files.modified))].map(baseName);
  const { sentences, items } = outcomeSentences(finalAnswer);
  const learns = sentences.filter((sentence) => givesReason(sentence)).map(impersonal);
  const statements = sentences.filter((sentence) => !givesReason(sentence)).map(impersonal);
  const learned = changed
    ? [
        ...learns,
        ...errors.map(({ error, fixedBy }) => `“${cutAtWord(error, 140)}”: ${withFullStop(fixedBy ?? '')}`),
      ]
    : [...sentences.map(impersonal), ...items.slice(0, 3).map(withFullStop)];
  const answer = answerBefore(transcript, finalAnswer, false);
  learned.push(...(answer?.sentences ?? []).slice(0, ANSWER_SENTENCES_MAX).map(impersonal));
  // The last reply of a turn that was cut off is no outcome.
  const isCut = isCutOff(transcript);
  const doing = finalAnswer?.interim === true ? launchedBy(toolUses).slice(0, TASKS_MAX) : [];
  const completed = changed
    ? [
        ...(finalAnswer?.interim === true && doing.length > 0 ? [`Worked on: ${doing.join('; ')}.`] : []),
        ...(finalAnswer?.interim === true
          ? isCut
            ? []
            : statements.slice(-SENTENCES_MAX)
          : statements.slice(0, SENTENCES_MAX)),
        ...answerFacts((finalAnswer?.points ?? []).filter(isDone), ITEMS_MAX, true).map(withFullStop),
        ...commits.map(
          ({ hash, message }) => `Committed${hash === null ? '' : ` ${hash}`}: ${message.split('\n')[0]}.`,
        ),
      ]
    : [];
  const events = [
    ...userPrompts.flatMap((one) => one.events),
    ...(finalAnswer?.events ?? []),
    ...(answer?.events ?? []),
    ...gathered.flatMap((part) => part.events),
  ];
  return {
    id: summaryId(turn),
    turn: turn.id,
    agent: turn.agent,
    session: turn.session,
    workdir: turn.workdir,
    at: last.at,
    order: `${last.order.slice(0, -2)} y`,
    title: turnTitle(request, observations),
    unfinished: turn.unfinished,
    request:
      userPrompts[0]?.plan === true ? request.words : withCommand(userPrompts[0]?.text ?? '', request.words),
    requestBy: userPrompts.some(({ plan }) => plan) ? 'agent' : 'person',
    investigated: investigated(gathered, toolUses),
    learned: textOf(learned),
    completed: textOf(completed) ?? (modified.length > 0 ? `Changed ${listed(modified)}.` : null),
    nextSteps: [
      ...(finalAnswer?.nextSteps ?? []).map(nextStep),
      ...[...(finalAnswer?.questions ?? []), ...unanswered(toolUses)].map(openQuestion),
    ],
    notes: textOf(finalAnswer?.notes ?? []),
    observations: observations.map(({ id }) => id),
    events: [...new Set(events)].sort(),
  };
}

/** The request as title, because the observations' titles state the outcome. */
function turnTitle(request: Request, observations: readonly ObservationRow[]): string {
  const outcome = observations.at(-1)!.title;
  if (request.vague)
    return cutAtWord(`“${cutAtWord(request.words, ASKED_CHARS_MAX)}”: ${outcome}`, TITLE_CHARS_MAX);
  const same = observations.some(({ title }) => title.startsWith(request.topic.slice(0, SAME_CHARS)));
  return cutAtWord(same ? `Asked: ${request.topic}` : request.topic, TITLE_CHARS_MAX);
}

/** The final answer without hollow sentences; a sentence that introduces a list is joined to its first item. */
function outcomeSentences(finalAnswer: FinalAnswer | null): {
  readonly sentences: string[];
  readonly items: string[];
} {
  if (finalAnswer === null) return { sentences: [], items: [] };
  const opened = new Map([...finalAnswer.opens].map(([opening, item]) => [item, opening]));
  const items = finalAnswer.items.map((item) => {
    const opening = opened.get(item);
    return opening === undefined || opening.length > OPENING_CHARS_MAX ? item : `${opening} ${item}`;
  });
  const sentences = finalAnswer.sentences.filter(
    (sentence) => !isHollow(sentence) && !(opensBlock(sentence) && finalAnswer.opens.has(sentence)),
  );
  return { sentences, items };
}

/** Whether a point states something done; its lead would say if it is proposed, to be checked, or only found. */
function isDone({ lead, item }: FinalAnswer['points'][number]): boolean {
  return item && !altersItems(lead);
}

function openQuestion(sentence: string): string {
  return cutAtWord(`Open question: ${sentence}`, 220);
}

/** "Read a.ts, b.ts and 3 more; searched for x; looked at example.org." */
function investigated(
  gathered: readonly GatheredEvidence[],
  toolUses: TurnTranscript['toolUses'],
): string | null {
  const read = [...new Set(gathered.flatMap((part) => [...part.files.read, ...part.files.modified]))].map(
    baseName,
  );
  const input = (names: readonly string[], field: string) => [
    ...new Set(
      toolUses
        .filter(({ name }) => names.includes(name))
        .flatMap((toolUse) => (toolUse.input[field] ? [String(toolUse.input[field])] : [])),
    ),
  ];
  const searched = input(['Grep', 'Glob'], 'pattern').filter((pattern) => pattern.length <= 60);
  const asked = input(['WebSearch'], 'query');
  const pages = input(['WebFetch'], 'url').map((url) => url.slice(0, 70));
  const parts = [
    read.length === 0 ? null : `read ${listed(read)}`,
    searched.length === 0 ? null : `searched for ${listed(searched, 4)}`,
    asked.length === 0 ? null : `asked the web for ${listed(asked, 3)}`,
    pages.length === 0 ? null : `looked at ${listed(pages, 3)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `${capital(parts.join('; '))}.`;
}

function listed(names: readonly string[], most = NAMES_MAX): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
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
