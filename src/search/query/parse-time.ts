// Parses times as people write them. A day without an hour is the whole day in the machine's time zone, and so is a
// week, a month or a year: `since` and `before` mean its first millisecond, `until` its last.
import { AnnalsError } from '../../../log/index.ts';
import { between, spanInWords, type TimeSpan } from './time-words.ts';

export type TimeEdge = 'since' | 'until' | 'before';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** The last millisecond that a Date can represent. */
const DATE_MS_MAX = 8.64e15;

export const TIME_HINT =
  'Write 7d, 12h, yesterday, "last tuesday", "3 days ago", "march 3", 2026-03-25 or 2026-03-25T14:00.';

/**
 * Unix ms from Unix ms, ISO 8601 or anything else with an hour that `Date.parse` takes, `90s` `30m` `12h` `7d` `2w` (ago), `now`, and
 * words: `yesterday`, `last tuesday`, `3 days ago`, `last week`, `march 3`, with spaces or hyphens.
 * @throws AnnalsError USAGE: not a time
 */
export function parseTime(value: string | number, now: number, edge: TimeEdge): number {
  const time = typeof value === 'number' ? value : parseText(value.trim().toLowerCase(), now, edge);
  if (time === null || !(Math.abs(time) <= DATE_MS_MAX))
    throw new AnnalsError('USAGE', `“${value}” is not a time (${edge}).`, { hint: TIME_HINT });
  return time;
}

function parseText(text: string, now: number, edge: TimeEdge): number | null {
  if (/^\d{9,}$/.test(text)) return Number(text);
  const ago = /^(\d+(?:\.\d+)?)\s*([smhdw])(?:\s+ago)?$/.exec(text);
  if (ago) return now - Math.round(Number(ago[1]) * UNITS[ago[2]!]!);
  const span = isoSpan(text) ?? spanInWords(text, now);
  if (span !== null) return edge === 'until' ? span.last : span.first;
  // Without a year `Date.parse` invents one: "foo 1" would be a day in 2001. Without an hour a day has two ends.
  return /\d{4}/.test(text) && text.includes(':') ? Date.parse(text.toUpperCase()) : null;
}

/** A day, a month or a year in ISO 8601. */
export function isoSpan(text: string): TimeSpan | null {
  const date = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text);
  if (date === null) return null;
  const [year, month = 1, day = 1] = date.flatMap((part, index) => (index > 0 && part ? Number(part) : []));
  const first = new Date(year!, month - 1, day);
  if (first.getMonth() !== month - 1 || first.getDate() !== day)
    return { first: Number.NaN, last: Number.NaN };
  if (date[2] === undefined) return between([year!, 0, 1], [year! + 1, 0, 1]);
  if (date[3] === undefined) return between([year!, month - 1, 1], [year!, month, 1]);
  return between([year!, month - 1, day], [year!, month - 1, day + 1]);
}
