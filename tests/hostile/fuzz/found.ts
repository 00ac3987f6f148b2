// What a case finds, and what is asked of all that it stored.
import type { Chance } from '../../helpers/chance.ts';

/** What became of what was hostile. */
export type Fate = 'taken' | 'parked' | 'refused' | 'left alone';

export interface Found {
  /** How many hostile inputs there were, by what became of each. */
  readonly fates: Partial<Readonly<Record<Fate, number>>>;
  /** What did not hold; empty when all is well. */
  readonly wrong: readonly string[];
}

export type MakeCase = (luck: Chance, folder: string) => Promise<Found>;

/** Deeper than anything that may be stored; asked without recursion. */
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
