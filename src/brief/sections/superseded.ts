// Of decisions about the same thing the newest stands: the same question, or nearly the same words, or the same names
// and files with other values. What was undone later stands no more. In doubt an older one is left out.
import type { ObservationLine } from '../../../projections/index.ts';
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
const QUESTION = / Chosen: /;
const UNDOES =
  /\b(?:revert|undo|undid|undone|roll(?:ed)? back|back out|go(?:es|ing)? back to|no longer|not any ?more|instead of|rather than|drop(?:ped)?|remove[sd]?|replace[sd]?|changed my mind|forget (?:about )?|scrap|reconsidered?|after all|actually)\b/i;
const SAME_SHARE = 0.6;
const WORDS_MIN = 4;

/**
 * @param stated newest first
 * @param later what may undo a decision: newer work, by row
 * @param newerWork observations of it
 */
export function currentDecisions(
  stated: readonly Stated[],
  later: (row: ObservationLine) => readonly string[],
  newerWork: (row: ObservationLine) => readonly ObservationLine[],
): CurrentDecision[] {
  const kept: { stated: Stated; about: About; replaces: number }[] = [];
  for (const one of stated) {
    const about = aboutOf(one.text);
    const newer = kept.find((other) => other.stated.row !== one.row && isSameThing(other.about, about));
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
  readonly question: string | null;
  readonly names: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

function aboutOf(text: string): About {
  const [first = '', ...rest] = text.split(QUESTION);
  return {
    question: rest.length === 0 ? null : normalize(first),
    names: new Set((text.match(NAMES) ?? []).map((name) => name.replace(/[`“”.,]+/g, '').toLowerCase())),
    words: new Set(longWordsOf(text)),
  };
}

/** The newer one speaks of what the older one decided. */
function isSameThing(newer: About, older: About): boolean {
  if (older.question !== null && newer.question === older.question) return true;
  const names = shared(newer.names, older.names);
  const words = shared(newer.words, older.words);
  const fewer = Math.min(newer.words.size, older.words.size);
  if (fewer >= WORDS_MIN && words >= SAME_SHARE * fewer) return true;
  // The same names, and little else that either names.
  return names > 0 && names === Math.min(newer.names.size, older.names.size) && words >= 1;
}

/** It says that something of this name is undone. */
function undoes(text: string, { names, words }: About): boolean {
  if (!UNDOES.test(text)) return false;
  const said = text.toLowerCase();
  if ([...names].some((name) => name.length > 3 && said.includes(name))) return true;
  const own = new Set(longWordsOf(text));
  const common = shared(own, words);
  return words.size >= 2 && common >= Math.max(2, Math.ceil(words.size / 2));
}

/** A number was chosen, and later work on the same file speaks of the same thing with another one. */
function isRevalued({ row, text }: Stated, { words }: About, later: ObservationLine): boolean {
  const chosen = NUMBER.exec(text)?.[0];
  if (chosen === undefined || !later.files.some((file) => row.files.includes(file))) return false;
  const said = [later.title, later.subtitle, later.narrative].join(' ');
  const values: readonly string[] = said.match(NUMBERS) ?? [];
  if (values.length === 0 || values.includes(chosen)) return false;
  const about = new Set([...words, ...longWordsOf(row.narrative), ...longWordsOf(row.subtitle)]);
  return shared(new Set(longWordsOf(said)), about) >= VALUE_WORDS_MIN;
}

/** Not that of a version, a line or a name. */
const NUMBER = /(?<![\w.#/-])\d+(?:\.\d+)?(?![\w.]*[\w/-]|\.\d)/;
const NUMBERS = new RegExp(NUMBER, 'g');
const VALUE_WORDS_MIN = 2;

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((word) => other.has(word)).length;
}
