import { expect, test } from 'vitest';
import { linesOf, shortened } from '../../src/viewer/ui/diff-lines.ts';

const shown = (before: string, after: string) =>
  shortened(linesOf(before, after)).map(({ sign, text }) => `${sign}${text}`);

test('What follows the last line does not change that line', () => {
  expect(shown('var one', 'var one\nvar two')).toEqual([' var one', '+var two']);
  expect(shown('var one\nvar two', 'var one')).toEqual([' var one', '-var two']);
  expect(shown('var one\nvar two\n', 'var one\nvar two')).toEqual(['…']);
});

test('A changed line is removed and added, between three others', () => {
  const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const after = lines.with(4, 'E').join('\n');
  expect(shown(lines.join('\n'), after)).toEqual(['…', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h', '…']);
});

test('A text that was empty or becomes empty is one change', () => {
  expect(shown('', 'a\nb\n')).toEqual(['+a', '+b']);
  expect(shown('a\n', '')).toEqual(['-a']);
});

test('Texts with many changed lines are not compared: all old lines come before all new ones', () => {
  const lines = Array.from({ length: 2_000 }, (_, number) => number.toString(36));
  const text = (word: string) => [...lines.map((line) => word + line), 'same'].join('\n');
  const signs = linesOf(text('a'), text('b')).map(({ sign }) => sign);
  expect(signs.join('')).toBe('-'.repeat(2_001) + '+'.repeat(2_001));
});
