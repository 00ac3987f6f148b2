// Finds what may have done a step that was left open: later work that is about the same.
import type { ContextRow, ObservationLine, PromptLine } from '../../projections/index.ts';
import { longWordsOf, mentions } from '../terminal-text/letters-and-words.ts';
import { isLater, type Moment, type Work } from './work.ts';

const WORDS_MIN = 4;
/** A later text that shares so many of its words may have done it. */
const SAME_SHARE = 0.4;
/** A commit with so many of its words in a statement speaks of the same thing. */
const SUBJECT_SHARE = 0.7;
const RUNS = /^(?:[^:]{1,64}: )?run\b/i;
/** After the command: it is for the beginning of its own turn. */
const AT_FIRST = /^`?(?: (?:first|for (?:the|a) baseline\b.*|before\b.*))[.:]?$/i;
const ADDRESS = /https?:\/\/\S+/g;

/** Whether it says enough to be understood, and nothing later is about it. */
export function isOpen(text: string, moment: Moment, work: Work): boolean {
  return wordsOf(text).size >= WORDS_MIN && doneBy(text, moment, work) === null;
}

/** The later work that is most about a step; null for none, or if the step says too little. */
export function doneBy(text: string, moment: Moment, work: Work): ContextRow | null {
  const words = wordsOf(text);
  if (words.size < WORDS_MIN) return null;
  const own = runBy(text, moment, work);
  if (own !== null) return own;
  let best: { row: ContextRow; share: number } | null = null;
  for (const row of laterRows(moment, work)) {
    const known = wordsOfRow(row);
    const share = [...words].filter((word) => known.has(word)).length / words.size;
    if (share >= SAME_SHARE && share >= (best?.share ?? 0)) best = { row, share };
  }
  return best?.row ?? listedLater(moment, work).find(([, subject]) => speaksOf(subject, words))?.[0] ?? null;
}

/** "Run npm test first": its own turn ran it, and it ended well. What else follows may ask for another run. */
function runBy(step: string, { turn }: Moment, { observations }: Work): ContextRow | null {
  if (!RUNS.test(step)) return null;
  const ran = ({ commands }: ObservationLine) =>
    commands.some(({ command, outcome }) => outcome === 'ok' && asksFirst(step, command));
  return observations.find((row) => row.turn === turn && ran(row)) ?? null;
}

function asksFirst(step: string, command: string): boolean {
  const at = step.indexOf(command);
  return mentions(step, command) && AT_FIRST.test(step.slice(at + command.length));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(longWordsOf(text.replace(ADDRESS, '')));
}

/** Whether most words of a commit's subject are among these. */
export function speaksOf(subject: string, words: ReadonlySet<string>): boolean {
  const own = new Set(longWordsOf(subject));
  return (
    own.size >= WORDS_MIN && [...own].filter((word) => words.has(word)).length >= SUBJECT_SHARE * own.size
  );
}

/** Subjects of commits that git listed later, above one that was there before. */
function listedLater(moment: Moment, { observations }: Work): [ContextRow, string][] {
  const known = new Set(
    observations
      .filter((row) => !isLater(row, moment))
      .flatMap(({ commits, listedCommits = [] }) => [
        ...commits.map(({ subject }) => subject),
        ...listedCommits,
      ]),
  );
  return observations
    .filter((row) => isLater(row, moment))
    .flatMap((row) => {
      const { listedCommits = [] } = row;
      const end = listedCommits.findIndex((subject) => known.has(subject));
      return listedCommits.slice(0, Math.max(0, end)).map((subject): [ContextRow, string] => [row, subject]);
    });
}

function laterRows(moment: Moment, { observations, prompts, summaries }: Work): LaterRow[] {
  const leavesOpen = new Set(
    summaries.filter(({ nextSteps }) => nextSteps.length > 0).map(({ turn }) => turn),
  );
  // A turn that only spoke of it, and left a step open itself.
  const onlyTalks = ({ session, turn, files, commits }: ObservationLine) =>
    session === moment.session && files.length === 0 && commits.length === 0 && leavesOpen.has(turn);
  return [
    ...prompts.filter((row) => isLater(row, moment)),
    ...observations.filter((row) => isLater(row, moment) && !onlyTalks(row)),
  ];
}

type LaterRow = ObservationLine | PromptLine;

/** Each step is compared with the same rows. */
const wordsByRow = new WeakMap<LaterRow, ReadonlySet<string>>();

function wordsOfRow(row: LaterRow): ReadonlySet<string> {
  const known = wordsByRow.get(row) ?? new Set(longWordsOf(textOf(row)));
  wordsByRow.set(row, known);
  return known;
}

function textOf(row: LaterRow): string {
  if (row.kind === 'prompt') return row.text;
  const { title, narrative, commits } = row;
  return [title, narrative, ...commits.map(({ subject }) => subject)].join(' ');
}
