import { describe, expect, it } from 'vitest';
import { isAnnalsError } from '../../log/index.ts';
import { parseTime } from '../../src/search/index.ts';

/** A Wednesday. */
const NOW = new Date(2026, 2, 25, 14, 30).getTime();
const DAY = 86_400_000;

const local = (year: number, month: number, day: number, hour = 0, minute = 0) =>
  new Date(year, month - 1, day, hour, minute).getTime();

describe('A time in words', () => {
  it.each<[string, readonly [number, number, number], readonly [number, number, number]]>([
    // The first day of the span, and the day after its last.
    ['tuesday', [2026, 3, 24], [2026, 3, 25]],
    ['last tuesday', [2026, 3, 24], [2026, 3, 25]],
    ['last-tuesday', [2026, 3, 24], [2026, 3, 25]],
    ['Last_Tue', [2026, 3, 24], [2026, 3, 25]],
    ['wednesday', [2026, 3, 25], [2026, 3, 26]],
    ['last wednesday', [2026, 3, 18], [2026, 3, 19]],
    ['on thursday', [2026, 3, 19], [2026, 3, 20]],
    ['this week', [2026, 3, 23], [2026, 3, 30]],
    ['last week', [2026, 3, 16], [2026, 3, 23]],
    ['last month', [2026, 2, 1], [2026, 3, 1]],
    ['past month', [2026, 2, 1], [2026, 3, 1]],
    ['this year', [2026, 1, 1], [2027, 1, 1]],
    ['last year', [2025, 1, 1], [2026, 1, 1]],
    ['march 3', [2026, 3, 3], [2026, 3, 4]],
    ['3 march', [2026, 3, 3], [2026, 3, 4]],
    ['mar 3rd', [2026, 3, 3], [2026, 3, 4]],
    ['march 25', [2026, 3, 25], [2026, 3, 26]],
    ['march 26', [2025, 3, 26], [2025, 3, 27]],
    ['March 3, 2024', [2024, 3, 3], [2024, 3, 4]],
    ['3-march-2024', [2024, 3, 3], [2024, 3, 4]],
    ['february', [2026, 2, 1], [2026, 3, 1]],
    ['march', [2026, 3, 1], [2026, 4, 1]],
    ['april', [2025, 4, 1], [2025, 5, 1]],
    ['november', [2025, 11, 1], [2025, 12, 1]],
    ['may 2024', [2024, 5, 1], [2024, 6, 1]],
    ['yesterday', [2026, 3, 24], [2026, 3, 25]],
  ])('%s is a span: since its beginning, until its end', (text, first, next) => {
    expect(parseTime(text, NOW, 'since')).toBe(local(...first));
    expect(parseTime(text, NOW, 'before')).toBe(local(...first));
    expect(parseTime(text, NOW, 'until')).toBe(local(...next) - 1);
  });

  it.each<[string, number]>([
    ['3 days ago', NOW - 3 * DAY],
    ['3-days-ago', NOW - 3 * DAY],
    ['2 hours ago', NOW - DAY / 12],
    ['an hour ago', NOW - DAY / 24],
    ['a week ago', NOW - 7 * DAY],
    ['1 month ago', local(2026, 2, 25, 14, 30)],
    ['2 years ago', local(2024, 3, 25, 14, 30)],
    ['yesterday 9:05', local(2026, 3, 24, 9, 5)],
    ['last tuesday at 14:00', local(2026, 3, 24, 14, 0)],
    ['march 3 9:30', local(2026, 3, 3, 9, 30)],
  ])('%s is a moment', (text, time) => {
    expect(parseTime(text, NOW, 'since')).toBe(time);
    expect(parseTime(text, NOW, 'until')).toBe(time);
  });

  it('a month before the last day of a longer month is the last day of the shorter one', () => {
    expect(parseTime('1 month ago', local(2026, 3, 31), 'since')).toBe(local(2026, 2, 28));
  });

  it.each([
    'blah',
    'last',
    'ago',
    'days ago',
    'last blah',
    'ma',
    'february 30',
    'march 0',
    'march 3 25:00',
    'x 3',
  ])('%s is not a time, and the error gives examples', (text) => {
    let error: unknown;
    try {
      parseTime(text, NOW, 'since');
    } catch (thrown) {
      error = thrown;
    }
    if (!isAnnalsError(error)) throw new Error(`${text} was understood`);
    expect(error.code).toBe('USAGE');
    expect(error.hint).toContain('yesterday');
  });
});
