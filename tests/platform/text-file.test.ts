// The end of a growing text file, and what is added to it.
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followFile, lastLines, START } from '../../src/platform/text-file.ts';
import { testFolder } from '../helpers/views.ts';

test('the last complete lines are read, of a small and of a large file', async () => {
  const path = join(await testFolder(), 'a.log');
  expect(lastLines(path, 5).text).toEqual([]);
  writeFileSync(path, 'one\ntwo\nthree\nunfinis');
  expect(lastLines(path, 2).text).toEqual(['two', 'three']);
  expect(lastLines(path, 0).text).toEqual([]);
  writeFileSync(
    path,
    Array.from({ length: 60_000 }, (_, number) => `line ${number} of many more\n`).join(''),
  );
  const { text } = lastLines(path, 100_000);
  expect(text.at(-1)).toBe('line 59999 of many more');
  expect(text[0]).toMatch(/^line \d+ of many more$/);
});

test('a line that is too long is left out, and what follows it is read', async () => {
  const path = join(await testFolder(), 'a.log');
  const long = 'x'.repeat(1024 * 1024);
  const lines: string[] = [];
  writeFileSync(path, `one\n${long}${long}\ntwo\nthree`);
  followFile(path, START, (line) => lines.push(line))();
  expect(lines).toEqual(['one', 'two']);
  writeFileSync(path, `one\n${long}${long}`);
  const { text, end } = lastLines(path, 5);
  appendFileSync(path, `rest\nfour\n`);
  followFile(path, end, (line) => lines.push(line))();
  expect([text, lines]).toEqual([[], ['one', 'two', 'four']]);
});

test('what is added is followed, also into a file that replaces it', async () => {
  const folder = join(await testFolder(), 'logs');
  const path = join(folder, 'a.log');
  mkdirSync(folder);
  writeFileSync(path, 'one\n');
  const lines: string[] = [];
  let heard = (): void => {};
  const until = (line: string) =>
    new Promise<void>((resolve) => {
      heard = () => lines.includes(line) && resolve();
      heard();
    });
  const stop = followFile(path, lastLines(path, 0).end, (line) => {
    lines.push(line);
    heard();
  });
  onTestFinished(stop);
  appendFileSync(path, 'two\nthr');
  await until('two');
  appendFileSync(path, 'ee\n');
  await until('three');
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'four\n');
  await until('four');
  expect(lines).toEqual(['two', 'three', 'four']);
});
