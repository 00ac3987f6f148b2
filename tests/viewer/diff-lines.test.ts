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
