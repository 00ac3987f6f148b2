// Folds near-duplicates: the same heading apart from numbers and punctuation, the same commit, the same error. The newest
// is shown and the others are counted.
import type { ContextRow } from '../../../projections/index.ts';
import { lowerCaseLetters } from '../../terminal-text/letters-and-words.ts';

export interface NearDuplicates<T> {
  readonly one: T;
  /** How many others were folded into it. */
  readonly nearDuplicates: number;
}

/** Keeps the first of those that share any name, in order. An item without a name has no duplicates. */
export function foldNearDuplicates<T>(
  all: readonly T[],
  namesOf: (one: T) => readonly string[],
): NearDuplicates<T>[] {
  const kept: { one: T; nearDuplicates: number }[] = [];
  const known = new Map<string, { one: T; nearDuplicates: number }>();
  for (const one of all) {
    const names = namesOf(one).filter((name) => name !== '');
    const same = names.map((name) => known.get(name)).find((found) => found !== undefined);
    const group = same ?? { one, nearDuplicates: -1 };
    if (same === undefined) kept.push(group);
    group.nearDuplicates += 1;
    for (const name of names) if (!known.has(name)) known.set(name, group);
  }
  return kept;
}

/** The names by which a row is compared. */
export function rowNames(row: ContextRow): string[] {
  const title = normalize(row.title);
  if (row.kind !== 'observation') return [title];
  return [title, ...row.commits.flatMap(({ hash }) => (hash === null ? [] : [`commit ${hash}`]))];
}

/** Whether a sentence is part of a normalized text. Sentences about one file often begin alike. */
export function isStated(sentence: string, text: string): boolean {
  const start = normalize(sentence).slice(0, STATED_CHARS);
  return start.length >= STATED_CHARS_MIN && text.includes(start);
}

const STATED_CHARS = 80;
const STATED_CHARS_MIN = 20;

/** Letters only, in lower case, so that times, counts and line numbers make no difference. */
export function normalize(text: string): string {
  const letters = lowerCaseLetters(text);
  return letters === '' ? text.trim() : letters;
}
