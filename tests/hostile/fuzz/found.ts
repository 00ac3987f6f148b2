// What a case finds, and the checks on everything it stored.
import type { Chance } from '../../helpers/chance.ts';

/** What happened to a hostile input. */
export type Fate = 'taken' | 'parked' | 'refused' | 'left alone';

export interface Found {
  /** The number of hostile inputs by what happened to them. */
  readonly fates: Partial<Readonly<Record<Fate, number>>>;
  /** What failed; empty when all is well. */
  readonly wrong: readonly string[];
}

export type MakeCase = (luck: Chance, folder: string) => Promise<Found>;

/** Deeper than anything that may be stored. Checked without recursion. */
export function isTooDeep(value: unknown, depthMax = 120): boolean {
  const left: [unknown, number][] = [[value, 1]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [one, depth] = next;
    if (typeof one !== 'object' || one === null) continue;
    if (depth > depthMax) return true;
    for (const inner of Object.values(one)) left.push([inner, depth + 1]);
  }
  return false;
}
