import { describe, expect, it } from 'vitest';
import { StringColumn } from '../../../projections/project-indexes/index.ts';
import { randomNumbers } from '../text/random-documents.ts';

/** Strings of letters of one to four bytes in UTF-8: code unit order is not the order of the bytes. */
function randomStrings(count: number): string[] {
  const random = randomNumbers(11);
  const below = (limit: number) => Math.floor(random() * limit);
  const letters = ['a', 'z', 'ß', '中', '\u{1f426}', '\uff5e'];
  const text = () => Array.from({ length: below(4) }, () => letters[below(letters.length)]!).join('');
  return [...new Set(Array.from({ length: count }, text))].sort();
}

describe('A column of strings', () => {
  const sorted = randomStrings(400);
  const column = StringColumn.of(sorted);

  it('returns the strings in their order', () => {
    expect([...column]).toEqual(sorted);
    expect(column.at(17)).toBe(sorted[17]);
    expect(column.length).toBe(sorted.length);
  });

  it('finds each string, and nothing that it does not hold', () => {
    for (const text of randomStrings(800)) expect(column.find(text), text).toBe(sorted.indexOf(text));
  });

  it('finds the place of a string from a number on', () => {
    for (const low of [0, 30, sorted.length])
      for (const text of ['', 'a', 'zzzz', '中a', '\uffff']) {
        const expected = sorted.findIndex((there, number) => number >= low && there >= text);
        expect(column.firstFrom(text, low), `${text} from ${low}`).toBe(
          expected < 0 ? sorted.length : expected,
        );
      }
  });

  it('may be empty', () => {
    expect([...StringColumn.of([])]).toEqual([]);
    expect(StringColumn.of([]).find('a')).toBe(-1);
  });
});
