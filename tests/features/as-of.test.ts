// What an --as-of names: a position of the log or a time.
import { expect, test } from 'vitest';
import { parseBound } from '../../src/read/past-views.ts';

const NOW = new Date(2026, 4, 20, 12).getTime();

test('a day, a week and a month count whole, a moment is itself', () => {
  const endOf = (year: number, month: number, day: number) =>
    new Date(year, month - 1, day + 1).getTime() - 1;
  expect(parseBound('2026-05-02', NOW)).toEqual({ time: endOf(2026, 5, 2) });
  expect(parseBound('yesterday', NOW)).toEqual({ time: endOf(2026, 5, 19) });
  expect(parseBound('last week', NOW)).toEqual({ time: endOf(2026, 5, 17) });
  expect(parseBound('2h', NOW)).toEqual({ time: NOW - 7_200_000 });
});

test('digits are a position, thirteen of them a time', () => {
  expect(parseBound(' 5000 ', NOW)).toEqual({ position: 5_000 });
  expect(parseBound(0, NOW)).toEqual({ position: 0 });
  expect(parseBound(NOW, NOW)).toEqual({ time: NOW });
});
