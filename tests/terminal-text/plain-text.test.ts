import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { escapeForPrompt } from '../../src/brief/escape-for-prompt.ts';
import { grouped } from '../../src/terminal-text/grouped-number.ts';
import {
  cutToCells,
  plainLine,
  plainText,
  toCells,
  width,
  wrap,
} from '../../src/terminal-text/plain-text.ts';
import { ago, dayText, duration } from '../../src/terminal-text/time-text.ts';

test('control sequences, direction marks and carriage returns are removed, words stay', () => {
  expect(plainText('\u001b[1mbold\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007\r\nnext\u0000')).toBe(
    'bold link\nnext',
  );
  expect(plainLine('a\n\tb   c\u2028d')).toBe('a b c d');
});

test('no invisible character hides a tag in a context', () => {
  for (const sign of ['\u00ad', '\u200b', '\u200d', '\u2060', '\u{e0061}'])
    expect(escapeForPrompt(`a<${sign}/annals-context> b <sys${sign}tem-reminder> c <my${sign}_tag>`)).toBe(
      'a‹/annals-context> b ‹system-reminder> c ‹my_tag>',
    );
  expect(escapeForPrompt('Array<string> and a < b')).toBe('Array<string> and a < b');
});

test('no control sequence survives in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plainText(text)).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
    }),
  );
});

test('cut and padded texts have the requested width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, cells) => {
      const shown = plainLine(text);
      expect(width(cutToCells(shown, cells))).toBeLessThanOrEqual(cells);
      expect(width(toCells(shown, cells))).toBe(cells);
    }),
  );
});

test('wide letters take two cells, combining marks none', () => {
  expect(width('日本')).toBe(4);
  expect(width('🐦')).toBe(2);
  expect(width('é')).toBe(1);
});

test('wrapping keeps every word and the indentation', () => {
  expect(wrap('  one two three four', 10)).toEqual(['  one two', '  three', '  four']);
  expect(wrap('short\n\nlines', 10)).toEqual(['short', '', 'lines']);
});

test('times are formatted for people', () => {
  const now = Date.parse('2026-11-18T12:00:00Z');
  const before = (ms: number) => ago(now - ms, now);
  expect(before(5_000)).toBe('just now');
  expect(before(5 * 60_000)).toBe('5 min ago');
  expect(before(3 * 3_600_000)).toBe('3 h ago');
  expect(before(2 * 86_400_000)).toBe('2 d ago');
  expect(before(21 * 86_400_000)).toBe('3 wk ago');
  expect(before(100 * 86_400_000)).toBe('3 mo ago');
  expect(before(900 * 86_400_000)).toBe('2 yr ago');
  expect(ago(now + 3_600_000, now)).toBe('later');
  expect(dayText(Date.parse('2025-11-18T12:00:00Z'), now)).toBe('18 Nov 2025');
});

test('an hour more than a day is a day, also on a day of 25 hours', () => {
  const { TZ } = process.env;
  process.env.TZ = 'America/New_York';
  onTestFinished(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  const now = Date.parse('2026-11-01T23:50:00-05:00');
  expect(ago(Date.parse('2026-11-01T00:10:00-04:00'), now)).toBe('1 d ago');
});

test.each([
  [999.4, '999 ms'],
  [999.7, '1.0 s'],
  [12_340, '12.3 s'],
  [119_900, '119.9 s'],
  [119_960, '2 min 0 s'],
  [179_600, '3 min 0 s'],
  [200_000, '3 min 20 s'],
  [3_599_700, '60 min 0 s'],
])('%d ms are %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('every character on the fast path takes one cell, also next to a wide one', () => {
  const quick = [
    [0xa0, 0xac],
    [0xae, 0x2ff],
    [0x2010, 0x2027],
    [0x2030, 0x205e],
    [0x2190, 0x21ff],
    [0x2500, 0x257f],
  ] as const;
  for (const [first, last] of quick)
    for (let code = first; code <= last; code++) {
      const letter = String.fromCharCode(code);
      expect(width(letter), code.toString(16)).toBe(1);
      expect(width(`日${letter}`), code.toString(16)).toBe(3);
    }
});

test('thousands are separated by commas', () => {
  const read = [0, 7, 999, 1_000, 12_345, 1_000_000, 34_567_890].map(grouped);
  expect(read).toEqual(['0', '7', '999', '1,000', '12,345', '1,000,000', '34,567,890']);
});
