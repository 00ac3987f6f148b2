// Keeps only the newest of decisions, or of lessons, about the same thing: the same question, or nearly the same words, or the same names
// and files with other values. A decision that was undone later is dropped. In doubt the older one is left out.
import { ACCEPTED_PLAN, type ObservationLine } from '../../../projections/index.ts';
import { longWordsOf } from '../../terminal-text/letters-and-words.ts';
import { normalize } from '../lines/near-duplicate-lines.ts';

export interface Stated {
  readonly row: ObservationLine;
  readonly text: string;
}

export interface CurrentDecision extends Stated {
  /** How many older statements it replaces. */
  readonly replaces: number;
}

/** Identifiers, paths, files, and values in quotation marks. */
const NAMES = /\b[\w-]{0,60}(?:[a-z][A-Z]|_|\/|\.(?=[a-z]))[\w./-]{1,120}|`[^`\n]{2,60}`|“[^”\n]{2,60}”/g;
const UNDOES =
  /\b(?:revert|undo|undid|undone|roll(?:ed)? back|back out|go(?:es|ing)? back to|no longer|not any ?more|instead of|rather than|drop(?:ped)?|remove[sd]?|replace[sd]?|changed my mind|forget (?:about )?|scrap|reconsidered?|after all|actually)\b/i;
const SAME_SHARE = 0.6;
const WORDS_MIN = 4;

/**
 * @param stated newest first
 * @param later texts of newer work that may undo a decision of the row
 * @param newerWork observations newer than the row
 * @param besideNames how many words two statements share beside the names of one thing; if any, different names are
 * different things
 */
export function currentDecisions(
  stated: readonly Stated[],
  later: (row: ObservationLine) => readonly string[],
  newerWork: (row: ObservationLine) => readonly ObservationLine[],
  besideNames = 0,
): CurrentDecision[] {
  const kept: { stated: Stated; about: About; replaces: number }[] = [];
  for (const one of stated) {
    const about = aboutOf(one.text);
    const newer = kept.find(
      (other) => other.stated.row !== one.row && isSameThing(other.about, about, besideNames),
    );
    if (newer !== undefined) newer.replaces += 1;
    else if (
      !later(one.row).some((text) => undoes(text, about)) &&
      !newerWork(one.row).some((row) => isRevalued(one, about, row))
    )
      kept.push({ stated: one, about, replaces: 0 });
  }
  return kept.map(({ stated: { row, text }, replaces }) => ({ row, text, replaces }));
}

interface About {
  /** What the decision is about. A plan decides many things: only what undoes the plan takes it away. */
  readonly topic: string;
  readonly question: string | null;
  readonly names: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

function aboutOf(text: string): About {
  const [first = '', ...rest] = text.split(' Chosen: ');
  const topic = text.startsWith(ACCEPTED_PLAN)
    ? first.slice(ACCEPTED_PLAN.length).replace(/[“”]/g, '')
    : text;
  return {
    topic,
    question: rest.length === 0 ? null : normalize(first),
    names: new Set((topic.match(NAMES) ?? []).map((name) => name.toLowerCase())),
    words: new Set(longWordsOf(topic)),
  };
}

/** Whether the newer decision is about the same thing as the older one. */
function isSameThing(newer: About, older: About, besideNames: number): boolean {
  if (older.question !== null && newer.question === older.question) return true;
  const names = shared(newer.names, older.names);
  const words = shared(newer.words, older.words);
  if (besideNames > 0 && names === 0 && newer.names.size > 0 && older.names.size > 0) return false;
  const fewer = Math.min(newer.words.size, older.words.size);
  if (fewer >= WORDS_MIN && words >= SAME_SHARE * fewer) return true;
  // The same names, and little else that either names.
  const ofNames = [...newer.names].flatMap(longWordsOf);
  const beside = words - shared(new Set(ofNames), older.words);
  return (
    names > 0 && names === Math.min(newer.names.size, older.names.size) && words >= 1 && beside >= besideNames
  );
}

/** Whether the text says that something with one of these names is undone. */
function undoes(text: string, { names, words }: About): boolean {
  if (!UNDOES.test(text)) return false;
  const lower = text.toLowerCase();
  if ([...names].some((name) => name.length > 3 && lower.includes(name))) return true;
  const own = new Set(longWordsOf(text));
  const common = shared(own, words);
  return words.size >= 2 && common >= Math.max(2, Math.ceil(words.size / 2));
}

/** Whether a number was chosen, and later work on the same file gives another number for the same thing. */
function isRevalued({ row }: Stated, { topic, words }: About, later: ObservationLine): boolean {
  const chosen = topic.match(NUMBERS)?.[0];
  if (chosen === undefined || !later.files.some((file) => row.files.includes(file))) return false;
  const lower = [later.title, later.subtitle, later.narrative].join(' ');
  const values: readonly string[] = lower.match(NUMBERS) ?? [];
  if (values.length === 0 || values.includes(chosen)) return false;
  const about = new Set([...words, ...longWordsOf(row.narrative), ...longWordsOf(row.subtitle)]);
  return shared(new Set(longWordsOf(lower)), about) >= VALUE_WORDS_MIN;
}

/** Numbers that are not part of a version, a line reference or a name. */
const NUMBERS = /(?<![\w.#/-])\d+(?:\.\d+)?(?![\w.]*[\w/-]|\.\d)/g;
const VALUE_WORDS_MIN = 2;

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((word) => other.has(word)).length;
}
