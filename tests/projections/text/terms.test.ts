import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { termsAround, termsOf, wordSpans } from '../../../projections/text/index.ts';
import { regular } from '../../../projections/text/irregular-words.ts';
import { porter2 } from '../../../projections/text/porter2.ts';
import { STOP_WORDS } from '../../../projections/text/stop-words.ts';

describe('The terms of a text', () => {
  it.each([
    ['running tests', ['run', 'test']],
    ['why did we move it', ['move']],
    ['getUserName2', ['getusername2', 'get', 'user', 'name']],
    ['XMLHttpRequest', ['xmlhttprequest', 'xml', 'http', 'request']],
    ['snake_case_names', ['snake_case_names', 'snake', 'case', 'name']],
    ['SECRET_KEY', ['secret_key', 'secret', 'key']],
    ['TS2307', ['ts2307', 'ts', '2307']],
    ['@testing-library', ['@testing', 'test', 'librari']],
    ['$HOME #754', ['$home', 'home', '#754', '754']],
    ['src/cli/main.go:12', ['src', 'cli', 'main', 'go', '12']],
    ["don't panic", ['panic']],
    ['', []],
    ['   ---   ', []],
  ])('%s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('cut Chinese and Japanese into pairs of neighbours, so that a part of a sentence finds it', () => {
    expect(termsOf('toolchain不用保留吧')).toEqual(['toolchain', '不用', '用保', '保留', '留吧']);
    expect(termsOf('保留')).toEqual(['保留']);
  });

  it('are the same for letters with accents, whether these are composed or not', () => {
    const text = 'résumé für 한국어';
    expect(termsOf(text.normalize('NFD'))).toEqual(termsOf(text));
    const [{ word, start }] = wordSpans('a re\u0301sume\u0301').slice(1) as [{ word: string; start: number }];
    expect([start, word.length]).toEqual([2, 8]);
  });

  it('are the same for plain letters, whatever other scripts are in the text', () => {
    const signs = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
    for (const sign of signs.filter((one) => !/[\p{L}\p{M}\p{N}]/u.test(one) || one < '\x80')) {
      const text = `parseQuery2${sign}HTTPServer snake_case${sign}`;
      // The last word makes the code read the text with the classes of all scripts.
      expect(termsOf(`${text} é`), sign).toEqual([...termsOf(text), 'é']);
      expect(wordSpans(`${text} é`).slice(0, -1), sign).toEqual(wordSpans(text));
    }
  });

  it('are found in every form of a word', () => {
    const table = readFileSync(join(import.meta.dirname, '../../../models/static-minilm-256.bin'), 'latin1');
    const vocabulary = new Set(table.slice(64, 300_000).match(/(?<=\n)[a-z]{3,}(?=\n)/g));
    expect(vocabulary.size).toBeGreaterThan(15_000);
    const some = [...vocabulary].filter((_, index) => index % 10 === 0);
    const irregular = ['wrote', 'indices', 'dying', 'tying', 'skies', 'Went', 'BOUGHT'];
    const formsOf = (word: string) => [word, `${word}s`, `${word}ed`, `${word}ing`, `${word}ly`];
    const missed = [...irregular, ...some.flatMap(formsOf)].filter((word) => {
      const term = porter2(regular(word.toLowerCase()));
      // In the middle of words without parts that begin with other letters.
      return (
        !STOP_WORDS.has(word.toLowerCase()) &&
        !Array.from(termsAround([term])(`q ${word} q`))
          .flat()
          .includes(term)
      );
    });
    expect(missed).toEqual([]);
  });

  it.each([
    'the importing of cycles; importCycles, GO_IMPORT,\n\n the cycle.',
    'Wir importieren é: importing of cycles import the import 🎉 cycle',
    '导入 import 导入 cycles $import#cycle import',
  ])('are found with those that follow: %s', (text) => {
    const pairsIn = (terms: readonly string[]) =>
      terms.slice(1).flatMap((next, index) => (terms[index] === 'import' ? [next] : []));
    expect(Array.from(termsAround(['import'])(text)).flatMap(pairsIn)).toEqual(pairsIn(termsOf(text)));
    expect(Array.from(termsAround(['import', '导入'])(text)).flatMap(pairsIn)).toEqual(
      pairsIn(termsOf(text)),
    );
  });

  it('contain a stop word of an identifier only as part of the identifier', () => {
    expect(termsOf('isTheEnd')).toEqual(['istheend', 'end']);
  });

  it('are the same whether or not a word was seen before', () => {
    const text = 'parseQuery parseQuery parseQuery';
    expect(termsOf(text)).toEqual([
      ...termsOf('parseQuery'),
      ...termsOf('parseQuery'),
      ...termsOf('parseQuery'),
    ]);
  });

  it('of a very long word are those of its beginning', () => {
    expect(termsOf('x'.repeat(10_000))).toEqual(['x'.repeat(64)]);
  });

  it('have the offsets of their words', () => {
    expect(wordSpans('a  bee')).toEqual([
      { word: 'a', start: 0 },
      { word: 'bee', start: 3 },
    ]);
  });

  it.each([
    ['wrote written writing', 'write'],
    ['threwAway', 'throw'],
    ['children', 'child'],
    ['rebuilt', 'rebuild'],
  ])('brings “%s” to “%s”', (text, term) => {
    expect(termsOf(text)).toContain(term);
    expect(new Set(termsOf('wrote written writing writes'))).toEqual(new Set(['write']));
  });

  it('leaves “found”, which errors use, unchanged', () => {
    expect(termsOf('not found')).toEqual(['not', 'found']);
  });
});
