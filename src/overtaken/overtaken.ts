// Statements of a row that later work overtook: a step that was left open, a decision, a lesson. Each was true when its turn
// ended. The brief leaves them out; `show` and search say what overtook them.
import {
  type ContextRow,
  isForPerson,
  type ObservationLine,
  type Step,
  type SummaryLine,
  stepText,
} from '../../projections/index.ts';
import { longWordsOf } from '../terminal-text/letters-and-words.ts';
import { type About, aboutOf, isSameThing, type Stated, shared } from './current-decisions.ts';
import { doneBy, speaksOf } from './done-later.ts';
import { isLater, type Work } from './work.ts';

/** done: perhaps; answered: what the person said next; asked: its own turn ended with a question. */
export type How = 'done' | 'answered' | 'asked' | 'undone' | 'replaced';

export interface Overtaken {
  /** The statement as the row has it, perhaps shortened. */
  readonly text: string;
  readonly how: How;
  readonly by: ContextRow;
}

const UNDOES =
  /\b(?:revert|undo|undid|undone|roll(?:ed)? back|back out|go(?:es|ing)? back to|no longer|not any ?more|instead of|rather than|drop(?:ped)?|remove[sd]?|replace[sd]?|changed my mind|forget (?:about )?|scrap|reconsidered?|after all|actually)\b/i;
/** A removal is carried out by work that says so; it is undone by what takes it back. */
const DROPS = /\b(?:drop|remove|delete|replace|get rid of)\b/i;
const TAKES_BACK =
  /\b(?:revert|undo|undid|undone|roll(?:ed)? back|back out|go(?:es|ing)? back to|changed my mind|forget|reconsidered?|after all)\b/i;
/** Numbers that are not part of a version, a line reference or a name. */
const NUMBERS = /(?<![\w.#/-])\d+(?:\.\d+)?(?![\w.]*[\w/-]|\.\d)/g;
const VALUE_WORDS_MIN = 2;

/** All statements of a row that its project's work overtook. */
export function overtakenIn(row: ObservationLine | SummaryLine, work: Work): Overtaken[] {
  const found = (text: string, one: Omit<Overtaken, 'text'> | null) =>
    one === null ? [] : [{ text, ...one }];
  if (row.kind === 'summary')
    return row.nextSteps.flatMap((step) => found(stepText(step), stepOvertaken(step, row, work)));
  return [
    ...row.decisions.flatMap((text) =>
      found(text, decisionOvertaken({ row, text }, work) ?? replacedBy({ row, text }, work)),
    ),
    ...row.lessons.flatMap((text) => found(text, lessonOvertaken({ row, text }, work))),
  ];
}

function stepOvertaken(step: Step, row: SummaryLine, work: Work): Omit<Overtaken, 'text'> | null {
  const by = doneBy(step.text, row, work);
  if (by !== null) return { how: 'done', by };
  if (!isForPerson(step)) return null;
  const next = work.prompts.findLast((one) => one.session === row.session && isLater(one, row));
  return next === undefined ? null : { how: 'answered', by: next };
}

/** The agent met an obstacle and asked again: the person's words did not settle it. */
function asksWhich({ kind, text }: Step): boolean {
  return kind === 'asked' && /^Which\b/.test(text);
}

/** What left a decision open, or undid it. */
export function decisionOvertaken(
  { row, text }: Stated,
  { observations, summaries, prompts }: Work,
): Omit<Overtaken, 'text'> | null {
  const asks = summaries.find(({ turn, nextSteps }) => turn === row.turn && nextSteps.some(asksWhich));
  if (asks !== undefined) return { how: 'asked', by: asks };
  const about = aboutOf(text);
  const later = observations.filter((one) => isLater(one, row));
  const by =
    prompts.find((one) => !one.plan && isLater(one, row) && undoes(one.text, about)) ??
    later.find(({ title, commits }) =>
      [title, ...commits.map(({ subject }) => subject)].some((one) => undoes(one, about)),
    ) ??
    later.find((one) => isRevalued({ row, text }, about, one));
  return by === undefined ? null : { how: 'undone', by };
}

/** The newest later decision about the same thing. */
function replacedBy({ row, text }: Stated, { observations }: Work): Omit<Overtaken, 'text'> | null {
  const about = aboutOf(text);
  const by = observations.find(
    (one) => isLater(one, row) && one.decisions.some((other) => isSameThing(aboutOf(other), about)),
  );
  return by === undefined ? null : { how: 'replaced', by };
}

/** Whether the text says that something with one of these names is undone. */
function undoes(text: string, { topic, names, words }: About): boolean {
  if (!UNDOES.test(text) || (DROPS.test(topic) && !TAKES_BACK.test(text))) return false;
  const lower = text.toLowerCase();
  if ([...names].some((name) => name.length > 3 && lower.includes(name))) return true;
  const own = new Set(longWordsOf(text));
  const common = shared(own, words);
  return words.size >= 2 && common >= Math.max(2, Math.ceil(words.size / 2));
}

/** Whether a number was chosen, and later work on the same file gives another number for the same thing. */
function isRevalued({ row }: Stated, { topic, words }: About, later: ObservationLine): boolean {
  const chosen = topic.match(NUMBERS)?.[0];
  if (chosen === undefined || !sharesFile(later, row)) return false;
  const lower = [later.title, later.subtitle, later.narrative].join(' ');
  const values: readonly string[] = lower.match(NUMBERS) ?? [];
  if (values.length === 0 || values.includes(chosen)) return false;
  const about = new Set([...words, ...longWordsOf(row.narrative), ...longWordsOf(row.subtitle)]);
  return shared(new Set(longWordsOf(lower)), about) >= VALUE_WORDS_MIN;
}

/** What reversed a lesson. */
export function lessonOvertaken({ row, text }: Stated, work: Work): Omit<Overtaken, 'text'> | null {
  const words = new Set(longWordsOf(text));
  const own = row.commits.map(({ subject }) => subject);
  // What a commit settled, and a later one of the same file is about.
  const by = work.observations.find(
    (one) =>
      own.length > 0 &&
      isLater(one, row) &&
      sharesFile(one, row) &&
      one.commits.some(({ subject }) => !own.includes(subject) && speaksOf(subject, words)),
  );
  return by === undefined ? null : { how: 'undone', by };
}

function sharesFile(one: ObservationLine, other: ObservationLine): boolean {
  return one.files.some((file) => other.files.includes(file));
}
