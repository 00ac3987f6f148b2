// Points in time as people write them. A day without an hour is the whole day, in the machine's own time zone:
// `since` and `before` mean its first millisecond, `until` its last.
import { AnnalsError } from '../../log/index.ts';

export type TimeEdge = 'since' | 'until' | 'before';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** The last millisecond that a date can name. */
const DATE_MS_MAX = 8.64e15;

/**
 * Unix ms from Unix ms, ISO 8601 or what else `Date.parse` takes, `90s` `30m` `12h` `7d` `2w` (ago), `now`,
 * `today`, `yesterday`.
 * @throws AnnalsError USAGE
 */
export function parseTime(value: string | number, now: number, edge: TimeEdge): number {
  const time = typeof value === 'number' ? value : parseText(value.trim().toLowerCase(), now, edge);
  if (time === null || !(Math.abs(time) <= DATE_MS_MAX))
    throw new AnnalsError('USAGE', `--${edge} is not a time.`, {
      hint: 'Write 7d, 12h, yesterday, 2026-03-25 or 2026-03-25T14:00.',
    });
  return time;
}

function parseText(text: string, now: number, edge: TimeEdge): number | null {
  if (/^\d{9,}$/.test(text)) return Number(text);
  if (text === 'now') return now;
  if (text === 'today') return day(new Date(now), 0, edge);
  if (text === 'yesterday') return day(new Date(now), -1, edge);
  const ago = /^(\d+(?:\.\d+)?)\s*([smhdw])(?:\s+ago)?$/.exec(text);
  if (ago) return now - Math.round(Number(ago[1]) * UNITS[ago[2]!]!);
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (date) {
    const [year, month, dayOfMonth] = date.slice(1).map(Number) as [number, number, number];
    const local = new Date(year, month - 1, dayOfMonth);
    return local.getMonth() === month - 1 && local.getDate() === dayOfMonth ? day(local, 0, edge) : null;
  }
  // Without a year `Date.parse` invents one: "foo 1" would be a day in 2001.
  return /\d{4}/.test(text) ? Date.parse(text.toUpperCase()) : null;
}

function day(of: Date, offset: number, edge: TimeEdge): number {
  const start = (days: number) => new Date(of.getFullYear(), of.getMonth(), of.getDate() + days).getTime();
  return edge === 'until' ? start(offset + 1) - 1 : start(offset);
}
