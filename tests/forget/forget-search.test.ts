// The search behind the proof finds a text in every form it can have on disk.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readTable } from '../../log/leveldb-files/leveldb-file.ts';
import { prove } from '../../src/forget/forget-proof.ts';
import { Finder } from '../../src/forget/pattern-finder.ts';
import { searchFiles } from '../../src/forget/search-files.ts';
import { chance } from '../helpers/chance.ts';

const WORD = 'qzxvkjwpmbtrnl';
const CONTROL = 'thecontrolthatmustbethere';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'annals-proof-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('many patterns at once', () => {
  test('are found exactly where a plain search finds them', () => {
    const { below } = chance(3);
    for (let round = 0; round < 50; round++) {
      const letters = () => String.fromCharCode(97 + below(3));
      const text = Array.from({ length: 500 }, letters).join('');
      const patterns = Array.from({ length: 20 }, () =>
        Array.from({ length: 4 + below(12) }, letters).join(''),
      );
      const found = new Set<string>();
      new Finder(patterns.map((pattern) => Buffer.from(pattern.toUpperCase()))).find(
        Buffer.from(text),
        (pattern, at) => found.add(`${patterns[pattern]} ${at}`),
      );
      const expected = new Set<string>();
      for (const pattern of patterns)
        for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1))
          expected.add(`${pattern} ${at}`);
      expect(found).toEqual(expected);
    }
  });
});

async function store(values: (number: number) => string, count = 3_000): Promise<void> {
  const level = new Level(join(folder, 'log'));
  await level.batch(
    Array.from({ length: count }, (_, at) => ({
      type: 'put' as const,
      key: `k${String(at).padStart(6, '0')}`,
      value: values(at),
    })),
  );
  await level.put('control', CONTROL);
  await level.close();
  // On the next opening LevelDB turns the write-ahead file into a table.
  const again = new Level(join(folder, 'log'));
  await again.open();
  await again.close();
}

describe('the proof', () => {
  test('finds nothing where there is nothing, and finds its control', async () => {
    await store((at) => `a value with the number ${at}, told again and again and again`);
    expect(await prove(folder, [WORD], CONTROL)).toMatchObject({
      ok: true,
      found: [],
      control: { found: true },
    });
    expect(await prove(folder, [WORD], 'a control that is not there')).toMatchObject({ ok: false });
  });

  test('finds a word in one value of a compressed table', async () => {
    await store((at) =>
      at === 1_234 ? `here is ${WORD}` : `a value with the number ${at}, told again and again`,
    );
    const table = readdirSync(join(folder, 'log')).find((name) => name.endsWith('.ldb'))!;
    const parts: Buffer[] = [];
    expect(readTable(readFileSync(join(folder, 'log', table)), (part) => parts.push(part))).toBe(true);
    expect(Buffer.concat(parts).includes(WORD)).toBe(true);
    const { ok, found } = await prove(folder, [WORD], CONTROL);
    expect(ok).toBe(false);
    expect(found.map(({ file }) => file)).toContain(join('log', table));
  });

  test('finds a word that was deleted from the store but not from its files', async () => {
    await store((at) => (at === 7 ? WORD : `value ${at}`), 20);
    const level = new Level(join(folder, 'log'));
    await level.del('k000007');
    await level.close();
    expect((await prove(folder, [WORD], CONTROL)).ok).toBe(false);
  });

  test.each([
    ['plain', Buffer.from(`xx${WORD}xx`)],
    ['in upper case', Buffer.from(WORD.toUpperCase())],
    ['UTF-16', Buffer.from(`x${WORD}x`, 'utf16le')],
    ['base64 from the first bit', Buffer.from(Buffer.from(`${WORD} and more`).toString('base64'))],
    ['base64 from the second bit', Buffer.from(Buffer.from(`a${WORD} and more`).toString('base64'))],
    ['base64 from the third bit', Buffer.from(Buffer.from(`ab${WORD} and more`).toString('base64'))],
  ])('finds a word that is %s in any file', async (_, bytes) => {
    await store((at) => `value ${at}`, 20);
    writeFileSync(join(folder, 'some.text'), Buffer.concat([Buffer.alloc(100, 1), bytes]));
    const { ok, found } = await prove(folder, [WORD], CONTROL);
    expect([ok, found]).toEqual([false, [{ needle: WORD, file: 'some.text' }]]);
  });

  test('finds a word that is split between fragments of a write-ahead file', async () => {
    const level = new Level(join(folder, 'log'));
    for (let at = 0; at < 40; at++) await level.put(`k${at}`, `${'.'.repeat(1_000 + at)}${WORD.repeat(200)}`);
    await level.put('control', CONTROL);
    await level.close();
    expect((await prove(folder, [WORD.repeat(180)], CONTROL)).ok).toBe(false);
  });

  test('counts a file that it cannot read, and not one that is gone', async () => {
    mkdirSync(join(folder, 'cannot be read as a file'));
    const files = ['cannot be read as a file', 'gone'];
    expect(searchFiles({ home: folder, files, texts: [WORD] })).toMatchObject({ files: 0, unreadable: 1 });
  });

  test('finds a word in a table outside of its blocks', async () => {
    await store((at) => `value ${at}`, 20);
    const table = join(
      folder,
      'log',
      readdirSync(join(folder, 'log')).find((name) => name.endsWith('.ldb'))!,
    );
    const bytes = readFileSync(table);
    writeFileSync(table, Buffer.concat([bytes.subarray(0, -48), Buffer.from(WORD), bytes.subarray(-48)]));
    const { ok, found, unreadable } = await prove(folder, [WORD], CONTROL);
    expect({ ok, found: found.length, unreadable }).toEqual({ ok: false, found: 1, unreadable: 0 });
  });

  test('finds a word in any of the parts into which many bytes are divided', async () => {
    await store((at) => `value ${at}`, 20);
    for (let part = 0; part < 8; part++)
      writeFileSync(join(folder, `${part}`), Buffer.alloc(6 * 1024 * 1024));
    writeFileSync(join(folder, 'some.text'), WORD);
    const { ok, found, control } = await prove(folder, [WORD], CONTROL);
    expect([ok, found, control.found]).toEqual([false, [{ needle: WORD, file: 'some.text' }], true]);
  });

  test('does not pass if it cannot unpack a table', async () => {
    await store((at) => `value ${at}`, 20);
    writeFileSync(join(folder, 'log', '999999.ldb'), 'no table');
    expect(await prove(folder, [WORD], CONTROL)).toMatchObject({ ok: false, unreadable: 1 });
  });
});
