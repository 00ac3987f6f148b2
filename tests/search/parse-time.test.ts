import { describe, expect, it } from 'vitest';
import { isAnnalsError } from '../../log/index.ts';
import { parseTime } from '../../src/search/index.ts';

const NOW = new Date(2026, 2, 25, 14, 30).getTime();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('A time as people write it', () => {
  it.each<[string | number, number]>([
    [1_700_000_000_000, 1_700_000_000_000],
    ['1700000000000', 1_700_000_000_000],
    ['7d', NOW - 7 * DAY],
    ['12h', NOW - 12 * HOUR],
    ['30m ago', NOW - HOUR / 2],
    ['1.5h', NOW - 1.5 * HOUR],
    ['2w', NOW - 14 * DAY],
    ['now', NOW],
    ['2026-03-25T12:00:00Z', Date.UTC(2026, 2, 25, 12)],
    ['2026-03-25t12:00:00z', Date.UTC(2026, 2, 25, 12)],
    ['25 Mar 2026 12:00 GMT', Date.UTC(2026, 2, 25, 12)],
  ])('%s', (text, time) => {
    expect(parseTime(text, NOW, 'since')).toBe(time);
  });

  it.each<[string, number]>([
    ['today', 25],
    ['yesterday', 24],
    ['2026-03-20', 20],
  ])('%s is a whole day: since its start, until its end', (text, dayOfMonth) => {
    expect(parseTime(text, NOW, 'since')).toBe(new Date(2026, 2, dayOfMonth).getTime());
    expect(parseTime(text, NOW, 'until')).toBe(new Date(2026, 2, dayOfMonth + 1).getTime() - 1);
  });

  it.each<[string, Date, Date]>([
    ['2026-02', new Date(2026, 1), new Date(2026, 2)],
    ['2025-12', new Date(2025, 11), new Date(2026, 0)],
    ['2025', new Date(2025, 0), new Date(2026, 0)],
  ])('%s is a whole month or year', (text, start, end) => {
    expect(parseTime(text, NOW, 'since')).toBe(start.getTime());
    expect(parseTime(text, NOW, 'until')).toBe(end.getTime() - 1);
  });

  // What has no hour would be the first millisecond of a day also as its end.
  const days = ['2026-3-5', '3/5/2026', '2026/03/05', '2026.3.5', '2026-13', '2026-02-30', '2026-13-01'];
  it.each([...days, '', 'soon', 'foo 1', '12', 'd7', '99999999999999999999', Number.NaN])(
    '%j is not a time, and the error says so',
    (text) => {
      let error: unknown;
      try {
        parseTime(text, NOW, 'until');
      } catch (thrown) {
        error = thrown;
      }
      expect(isAnnalsError(error) && error.code).toBe('USAGE');
    },
  );
});
