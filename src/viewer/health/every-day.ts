// The days of a chart, with those on which nothing happened.

export interface DayValue {
  /** `2026-05-01`, UTC. */
  readonly day: string;
  readonly value: number;
}

export const DAY_MS = 86_400_000;
const DAYS_MAX = 730;

/**
 * Adds the days between, with what `missing` says of the value before, and keeps the last two years. Days after tomorrow are
 * left out: they come from wrong dates.
 * @param days oldest first
 * @param now Unix ms
 */
export function everyDay(
  days: readonly DayValue[],
  missing: (before: number) => number,
  now = Date.now(),
): readonly DayValue[] {
  const known = new Map(days.map(({ day, value }) => [Math.floor(Date.parse(day) / DAY_MS), value]));
  const numbers = [...known.keys()].filter((number) => number <= now / DAY_MS + 1);
  const last = numbers.at(-1);
  if (last === undefined) return [];
  const first = Math.max(numbers[0]!, last - DAYS_MAX + 1);
  const earlier = numbers.findLast((number) => number < first);
  let before = earlier === undefined ? 0 : known.get(earlier)!;
  return Array.from({ length: last - first + 1 }, (_, index) => {
    before = known.get(first + index) ?? missing(before);
    return { day: new Date((first + index) * DAY_MS).toISOString().slice(0, 10), value: before };
  });
}
