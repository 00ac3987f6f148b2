// Makes the observation of one part of a turn: title, type, prose, facts and evidence.
import { observationId } from '../ids/item-id.ts';
import type { TurnRow } from '../sessions/session-rows.ts';
import { decisionsOf } from './answer/decisions.ts';
import { endedIn } from './answer/ended.ts';
import type { FinalAnswer } from './answer/final-answer.ts';
import { lessonsIn } from './answer/lessons.ts';
import { conceptsOf } from './concepts.ts';
import { planDecisions } from './evidence/accepted-plans.ts';
import { answersIn, isAnswered } from './evidence/chosen-answers.ts';
import type { GatheredEvidence } from './evidence/evidence.ts';
import { announcedIn, launchedBy, launchedToMake } from './evidence/launched-work.ts';
import { mayBeReplaced } from './evidence/replaced-fix.ts';
import { answerFacts, factsOf } from './observation-facts.ts';
import { decisionTitle, observationTitle } from './observation-title.ts';
import { typeOf } from './observation-type.ts';
import { type SubagentReports, subagentReports } from './subagent-reports.ts';
import { fittingSentences, isDense, sentencesOf, wordCount } from './text/sentences.ts';
import { ASKED, formatTitle } from './text/title-form.ts';
import {
  guesses,
  holdsTogether,
  impersonal,
  isHollow,
  keptSentences,
  lacksEnd,
  opensBlock,
  proposes,
} from './text/wording.ts';
import type { ObservationRow } from './transcript/observation.ts';
import { isDocument, lastStateChangeOf } from './transcript/touched-files.ts';
import type { Prompt } from './transcript/turn-transcript.ts';
import type { TurnPart } from './turn-parts.ts';
import type { Request } from './turn-request.ts';

const NO_REPORTS: SubagentReports = { facts: [], events: [] };
const DECISIONS_MAX = 6;
const NARRATIVE_CHARS_MAX = 1_000;
const SUBTITLE_WORDS_MIN = 4;

/** What of the turn every part shares. */
export interface PartContext {
  readonly turn: Pick<TurnRow, 'id' | 'agent' | 'session' | 'workdir'>;
  readonly userPrompts: readonly Prompt[];
  readonly request: Request;
}

export interface ObservedPart extends TurnPart {
  /** Counted from 1. */
  readonly part: number;
  /** Whether the turn has other parts. */
  readonly isOneOfMany: boolean;
  /** The last part of a turn that has no end. */
  readonly unfinished: boolean;
  /** Names of files whose writing was refused or failed; for the last part only. */
  readonly refused: readonly string[];
}

export function observationOf(
  { turn, userPrompts, request }: PartContext,
  observed: ObservedPart,
  finalAnswer: FinalAnswer | null,
  gathered: GatheredEvidence,
): ObservationRow {
  const { part, isOneOfMany, unfinished, refused, toolUses, messages: replies } = observed;
  const { commands, tests, commits, pushes, pullRequests, amended, errors, files, changed, created } =
    gathered;
  const prompts = userPrompts.filter(({ command, plan }) => !command && !plan).map(({ text }) => text);
  const messages = commits.map(({ message }) => message);
  const answers = answersIn(toolUses);
  const plans = planDecisions(part === 1 ? userPrompts : [], toolUses);
  const stated = decisionsOf({
    asked: part === 1 ? request.sentences.filter((one) => !isAnswered(one, answers.questions)) : [],
    finalAnswer,
    commits: amended ? [] : messages,
    changed,
  });
  const [first, ...others] = stated;
  // What the person stated unprompted comes before what they chose.
  const decisions = [
    ...(first === undefined ? [] : [first]),
    ...plans.decisions,
    ...answers.decisions,
    ...others,
  ].slice(0, DECISIONS_MAX);
  const answer = finalAnswer?.interim === true ? null : (finalAnswer?.message ?? null);
  const lessons = lessonsIn({
    messages: replies,
    finalAnswer: answer,
    changed,
    lastChange: lastStateChangeOf(toolUses),
    mayBeReplaced: (order) => mayBeReplaced(toolUses, order),
  });
  // When the agent's own final answer says little, the reports of its sub-agents are the answer.
  const reports =
    finalAnswer === null || finalAnswer.interim || launchedToMake(toolUses)
      ? subagentReports(toolUses, turn.workdir, changed)
      : NO_REPORTS;
  const { title: outcome, isRequest } = observationTitle({
    finalAnswer,
    request,
    commits: messages,
    amended,
    changed,
    refused,
    files: files.modified,
    launched: () => launchedBy(toolUses),
    announced: () => announcedIn(replies),
    part: isOneOfMany ? `part ${part}` : null,
  });
  const prompt = prompts.join('\n');
  const fixedErrors = errors.filter(({ fixedBy }) => fixedBy !== null).length;
  const decided = decisions.length > 0;
  const type = typeOf({
    commits: messages,
    prompt,
    title: titleIn(outcome, unfinished),
    documentsOnly: files.modified.length > 0 && files.modified.every(isDocument),
    changed,
    created,
    decided,
    fixedErrors,
  });
  const persons = type === 'decision' ? decisionTitle(first) : null;
  const said = persons ?? outcome;
  const last = [...toolUses, ...replies].reduce(
    (a, b) => (a.order > b.order ? a : b),
    userPrompts[0] ?? toolUses[0] ?? replies[0]!,
  );
  const ended = changed ? endedIn([...statedIn(finalAnswer), ...messages.flatMap(sentencesOf)]) : [];
  const lessonTexts = lessons.map(({ text }) => text);
  const all = [...userPrompts, ...lessons, reports, answers, plans]
    .flatMap(({ events }) => events)
    .concat(finalAnswer?.events ?? []);
  return {
    id: observationId(turn, part),
    turn: turn.id,
    agent: turn.agent,
    session: turn.session,
    workdir: turn.workdir,
    at: last.at ?? latestOf([...userPrompts, ...toolUses, ...replies]),
    order: `${last.order} o`,
    part,
    type,
    unfinished,
    title:
      isRequest && persons === null && !gathered.made
        ? askedTitle(said, unfinished)
        : titleIn(said, unfinished),
    // What the agent answered to the person's decision.
    subtitle:
      persons === null || isSame(persons, outcome) ? subtitleOf(outcome, request, finalAnswer) : outcome,
    narrative: narrativeOf(outcome, finalAnswer),
    facts: factsOf({
      finalAnswer,
      gathered,
      decisions,
      refused,
      lessons: lessonTexts,
      reports: reports.facts,
    }),
    concepts: conceptsOf({ type, prompt, decided, learned: lessons.length > 0, fixedErrors, changed }),
    filesRead: files.read,
    filesModified: files.modified,
    evidence: {
      commands,
      tests,
      testsUnclear: gathered.testsUnclear,
      commits,
      pushes,
      pullRequests,
      rewroteHistory: gathered.rewrites.length > 0,
      rewrites: gathered.rewrites,
      ...(gathered.quietCommits > 0 ? { quietCommits: gathered.quietCommits } : {}),
      ...(gathered.listedCommits.length > 0 ? { listedCommits: gathered.listedCommits } : {}),
      ...(gathered.deletedBranches.length > 0 ? { deletedBranches: gathered.deletedBranches } : {}),
      ...(ended.length > 0 ? { ended } : {}),
      edits: gathered.edits,
      errors: errors.map(({ error, command, fixedBy }) => ({ error, command, fixedBy })),
      decisions,
      lessons: lessonTexts,
      events: [...new Set([...all, ...gathered.events])].sort(),
    },
  };
}

/** The sentences of the answer, without next steps. */
function statedIn(finalAnswer: FinalAnswer | null): string[] {
  if (finalAnswer === null || finalAnswer.interim) return [];
  const { blocks, nextSteps } = finalAnswer;
  return blocks
    .filter(({ kind }) => kind === 'text' || kind === 'item')
    .flatMap(({ text }) => sentencesOf(text))
    .filter((one) => !nextSteps.some((step) => step.startsWith(one)));
}

function titleIn(title: string, unfinished: boolean): string {
  return unfinished ? formatTitle(`Unfinished: ${title}`) : title;
}

/** The title of a part that changed nothing and whose outcome is unknown: what was asked must not read as done. */
function askedTitle(request: string, unfinished: boolean): string {
  return unfinished || request.endsWith('?')
    ? titleIn(request, unfinished)
    : formatTitle(`${ASKED}${request}`);
}

/** The request when the title states the outcome; else the first sentence of the answer. */
function subtitleOf(title: string, request: Request, finalAnswer: FinalAnswer | null): string {
  if (!request.vague && !isSame(title, request.topic)) return formatTitle(request.topic);
  const sentence = finalAnswer?.sentences.find(
    (one) =>
      !isSame(title, one) &&
      !(finalAnswer.loose.includes(one) || opensBlock(one) || proposes(one) || guesses(one)) &&
      (isDense(one) || wordCount(one) >= SUBTITLE_WORDS_MIN),
  );
  return sentence === undefined ? '' : fittingSentences([impersonal(sentence)], 160);
}

function narrativeOf(title: string, finalAnswer: FinalAnswer | null): string {
  if (finalAnswer === null) return '';
  const { loose } = finalAnswer;
  const sentences = keptSentences(finalAnswer.sentences, (one) => !loose.includes(one) && !opensList(one))
    .filter((one) => !repeats(title, impersonal(one)) && !isHollow(one) && !EXCLAMATION.test(one))
    .map((sentence) => (opensBlock(sentence) ? `${sentence.slice(0, -1)}.` : sentence));
  const text = fittingSentences([...new Set(sentences)], NARRATIVE_CHARS_MAX);
  // Items without the sentence above them may lack their subject.
  const items = answerFacts(finalAnswer.points).map((one) => (/[.!?…。！？]$/.test(one) ? one : `${one}.`));
  return text === '' ? fittingSentences(items, NARRATIVE_CHARS_MAX) : text;
}

/** Whether a sentence repeats the title, unless it is the longer sentence that the title was cut from. */
function repeats(title: string, sentence: string): boolean {
  return sentence.length < title.length + 20 && isSame(title, sentence);
}

/** "It now does:" without its list. */
function opensList(sentence: string): boolean {
  return (
    opensBlock(sentence) &&
    (wordCount(sentence) < OPENING_WORDS_MAX || lacksEnd(sentence) || holdsTogether(sentence))
  );
}

/** "Much cleaner!" */
const EXCLAMATION = /^\S+(?: \S+){0,2}!$/;

const OPENING_WORDS_MAX = 8;

function isSame(one: string, other: string): boolean {
  const normalize = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const [a, b] = [normalize(one), normalize(other)];
  const shorter = Math.min(a.length, b.length);
  return (
    a === b ||
    (shorter > 20 && (a.startsWith(b) || b.startsWith(a) || (b.length - a.length < 12 && b.endsWith(a))))
  );
}

/** The latest time known of some items, Unix ms; null if none has one. */
function latestOf(items: readonly { readonly at: number | null }[]): number | null {
  return items.reduce<number | null>(
    (latest, { at }) => (at === null || (latest ?? at) > at ? latest : at),
    null,
  );
}
