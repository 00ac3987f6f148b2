// Keeps only the newest of decisions, or of lessons, about the same thing: the same question, or nearly the same words, or
// the same names. In doubt the older one is left out.
import { ACCEPTED_PLAN, type ObservationLine } from '../../projections/index.ts';
import { normalize } from '../brief/lines/near-duplicate-lines.ts';
import { longWordsOf } from '../terminal-text/letters-and-words.ts';

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
const SAME_SHARE = 0.6;
const WORDS_MIN = 4;

/**
 * @param stated newest first
 * @param isOvertaken whether later work undid it, or its own turn left it undecided
 * @param besideNames how many words two statements share beside the names of one thing; if any, different names are
 * different things
 */
export function currentDecisions(
  stated: readonly Stated[],
  isOvertaken: (one: Stated) => boolean,
  besideNames = 0,
): CurrentDecision[] {
  const kept: { stated: Stated; about: About; replaces: number }[] = [];
  for (const one of stated) {
    const about = aboutOf(one.text);
    const newer = kept.find(
      (other) => other.stated.row !== one.row && isSameThing(other.about, about, besideNames),
    );
    if (newer !== undefined) newer.replaces += 1;
    else if (!isOvertaken(one)) kept.push({ stated: one, about, replaces: 0 });
  }
  return kept.map(({ stated: { row, text }, replaces }) => ({ row, text, replaces }));
}

export interface About {
  /** What the decision is about. A plan decides many things: only what undoes the plan takes it away. */
  readonly topic: string;
  readonly question: string | null;
  readonly names: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

export function aboutOf(text: string): About {
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
export function isSameThing(newer: About, older: About, besideNames = 0): boolean {
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

export function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((word) => other.has(word)).length;
}
