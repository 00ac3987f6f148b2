// Near-duplicates: the same heading but for numbers and punctuation, the same commit, the same error. The newest
// is told, the others are counted.
import type { ContextRow } from '../../../projections/index.ts';
import { lowerCaseLetters } from '../../terminal-text/letters-and-words.ts';

export interface NearDuplicates<T> {
  readonly one: T;
  /** How many more were like it. */
  readonly nearDuplicates: number;
}

/** Keeps the first of those that share any name, in order. Without a name a thing is like no other. */
export function foldNearDuplicates<T>(
  all: readonly T[],
  namesOf: (one: T) => readonly string[],
): NearDuplicates<T>[] {
  const kept: { one: T; nearDuplicates: number }[] = [];
  const known = new Map<string, { one: T; nearDuplicates: number }>();
  for (const one of all) {
    const names = namesOf(one).filter((name) => name !== '');
    const same = names.map((name) => known.get(name)).find((found) => found !== undefined);
    const holder = same ?? { one, nearDuplicates: -1 };
    if (same === undefined) kept.push(holder);
    holder.nearDuplicates += 1;
    for (const name of names) if (!known.has(name)) known.set(name, holder);
  }
  return kept;
}

/** Under which names a row is the same as another. */
export function rowNames(row: ContextRow): string[] {
  const title = normalize(row.title);
  if (row.kind !== 'observation') return [title];
  return [title, ...row.commits.flatMap(({ hash }) => (hash === null ? [] : [`commit ${hash}`]))];
}

/** Letters only, so that times, counts and line numbers do not tell two texts apart. */
export function normalize(text: string): string {
  const letters = lowerCaseLetters(text);
  return letters === '' ? text.trim() : letters;
}
