// The facts of an observation: the points of the final answer, each with its heading, then what tools prove. Each fact is
// one line and understandable alone. Every heading contributes one point before any contributes two, so that the end of a
// long answer is included.
import type { AnswerPoint, FinalAnswer } from './answer/final-answer.ts';
import type { GatheredEvidence } from './evidence/evidence.ts';
import { LEFT_OUT } from './text/markdown.ts';
import { fittingSentences, isDense, sentencesOf, wordCount } from './text/sentences.ts';
import { answersBefore, holdsTogether } from './text/wording.ts';

const FACT_CHARS_MAX = 260;
const STATED_MAX = 12;
const WORDS_MIN = 3;
/** A text that ends with a colon needs this many words to be a fact. */
const OPEN_WORDS_MIN = 7;

/** How a fact ends that says which file was not written. */
export const NOT_WRITTEN = ' was not written: its writing was refused or failed';

/** What follows a commit that no hook checked. */
export const UNVERIFIED = ' (with --no-verify)';

export function isNotWritten(fact: string): boolean {
  return fact.endsWith(NOT_WRITTEN);
}

export interface FactSources {
  readonly finalAnswer: FinalAnswer | null;
  readonly gathered: GatheredEvidence;
  readonly decisions: readonly string[];
  /** What the agent learned on the way. */
  readonly lessons: readonly string[];
  /** Reports of sub-agents. */
  readonly reports: readonly string[];
  /** Names of files whose writing was refused or failed. */
  readonly refused: readonly string[];
}

export function factsOf({
  finalAnswer,
  gathered,
  decisions,
  lessons,
  reports,
  ...more
}: FactSources): string[] {
  const stated = answerFacts(finalAnswer?.points ?? []);
  const refused = more.refused.map((file) => `${file}${NOT_WRITTEN}`);
  const errors = gathered.errors.map(({ error, command, fixedBy }) =>
    fixedBy === null
      ? `Still failing: ${command}: ${error}`
      : `${command} failed with “${error}”; it passed after this: ${fixedBy}`,
  );
  const tests = gathered.tests.map(
    ({ command, before, after, runnerLine: words }) =>
      `${command}: ${before === null || before === after ? after : `${before}, then ${after}`}${words === null ? '' : ` (${words})`}`,
  );
  const commits = gathered.commits.map(
    ({ hash, message, unverified }) =>
      `Commit${hash === null ? '' : ` ${hash}`}: ${message.split('\n')[0]}${unverified === undefined ? '' : UNVERIFIED}`,
  );
  const chosen = decisions.filter((decision) => !stated.some((fact) => fact.includes(decision.slice(0, 60))));
  const fixed = gathered.errors.map(({ fixedBy }) => fixedBy ?? '').join('\n');
  // A cause that is part of its error's fix is not repeated.
  const found = lessons.filter((lesson) => !fixed.includes(lesson.slice(0, 60)));
  return [
    ...new Set([...refused, ...stated, ...reports, ...found, ...chosen, ...errors, ...tests, ...commits]),
  ];
}

/** Chooses one point of each heading first, then others, and returns them in their original order. */
export function answerFacts(answerPoints: readonly AnswerPoint[], most = STATED_MAX): string[] {
  const points = joinedPoints(answerPoints);
  const worth = points.flatMap((point, index) => {
    const text = factText(point);
    return text === null ? [] : [{ text, group: point.group, index, isLed: point.lead !== '' }];
  });
  const groups = new Set<number>();
  const firsts = worth.filter(({ group }) => !groups.has(group) && groups.add(group));
  const others = worth.filter((one) => !firsts.includes(one));
  const chosen = [...firsts, ...others].slice(0, most).sort((a, b) => a.index - b.index);
  const shown = new Set<number>();
  const kept = chosen.filter(({ text, index }) => {
    const isOfBefore = points[index - 1]?.section === points[index]!.section && shown.has(index - 1);
    if (answersBefore(text) && !isOfBefore && !points[index]!.isOfHeading) return false;
    return shown.add(index);
  });
  // A list that is not whole ends with a mark.
  const marked = kept.map(({ text, group, isLed }, at) => {
    const ofGroup = (one: { readonly group: number }) => one.group === group;
    const isCut =
      isLed &&
      !kept.slice(at + 1).some(ofGroup) &&
      kept.filter(ofGroup).length < worth.filter(ofGroup).length;
    return isCut ? withMark(text) : text;
  });
  return [...new Set(marked)];
}

function withMark(text: string): string {
  return text.endsWith(LEFT_OUT) ? text : `${text} ${LEFT_OUT}`;
}

/** Items that hold only together become one, as far as they fit: each alone would be read as enough. */
function joinedPoints(points: readonly AnswerPoint[]): AnswerPoint[] {
  return points.flatMap((point) => {
    if (!holdsTogether(point.lead)) return [point];
    const all = points.filter(({ group, lead }) => group === point.group && lead === point.lead);
    if (point !== all[0]) return [];
    const texts = all.map((one) => one.text.replace(/\.$/, ''));
    const room = FACT_CHARS_MAX - point.lead.length - LEFT_OUT.length;
    let fit = texts.length;
    while (fit > 0 && texts.slice(0, fit).join('; ').length >= room) fit -= 1;
    const shown = fit < texts.length ? [...texts.slice(0, fit), LEFT_OUT] : texts;
    return [{ ...point, text: shown.join('; ') }];
  });
}

/** null for points that say nothing alone. */
function factText({ lead, text }: AnswerPoint): string | null {
  if (/[:：]$/.test(text) && wordCount(text) < OPEN_WORDS_MIN && !isDense(text)) return null;
  const content = text.replace(/[\s:：]+$/, '');
  if (wordCount(content) < WORDS_MIN && !isDense(content) && lead === '') return null;
  const full = lead === '' || content.startsWith(lead) ? content : `${lead}: ${content}`;
  return full.length <= FACT_CHARS_MAX ? full : fittingSentences(sentencesOf(full), FACT_CHARS_MAX);
}
