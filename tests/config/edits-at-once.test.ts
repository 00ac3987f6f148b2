// Several changes of the settings at once, of one process and of two: each of them counts.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { editSettings } from '../../src/config/edit-settings.ts';
import { parseSettings } from '../../src/config/settings.ts';
import { isHomeEntry } from '../../src/platform/home-paths.ts';
import { makeProgram } from '../helpers/program.ts';
import { testFolder } from '../helpers/views.ts';

const settingsAt = (path: string) => parseSettings(readFileSync(path, 'utf8')).settings;

test('two processes that add to a list lose nothing of each other', async () => {
  const folder = await testFolder();
  const path = join(folder, 'config.json');
  const program = await makeProgram('tests/config/programs/add-exclusions.ts', join(folder, 'add.mjs'));
  const children = ['one', 'two'].map((name) => fork(program, [path, name, '20']));
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  await Promise.all(children.map((child) => once(child, 'message')));
  const ended = children.map((child) => once(child, 'exit'));
  for (const child of children) child.send('begin');
  expect(await Promise.all(ended)).toEqual([
    [0, null],
    [0, null],
  ]);
  const added = ['one', 'two'].flatMap((name) => Array.from({ length: 20 }, (_, at) => `${name}-${at}`));
  expect([...settingsAt(path).exclude].sort()).toEqual(added.sort());
  expect(readdirSync(folder).filter((name) => name.startsWith('config'))).toEqual(['config.json']);
});

test('changes of one process lose nothing of each other', async () => {
  const path = join(await testFolder(), 'config.json');
  await Promise.all([
    editSettings(path, [['exclude', () => ['~/private/**']]]),
    editSettings(path, [['recall.edit', () => true]]),
  ]);
  expect(settingsAt(path)).toMatchObject({ exclude: ['~/private/**'], 'recall.edit': true });
});

test('changes that are made together are written together, or not at all', async () => {
  const path = join(await testFolder(), 'config.json');
  const edits = (memory: unknown) =>
    editSettings(path, [
      ['recall.edit', () => true],
      ['indexMemory', () => memory],
    ]);
  await expect(edits(0)).rejects.toMatchObject({ code: 'USAGE' });
  expect(existsSync(path)).toBe(false);
  expect(await edits(64)).toEqual(['recall.edit', 'indexMemory']);
  expect(settingsAt(path)).toMatchObject({ 'recall.edit': true, indexMemory: 64 });
});

/** A lock that a process with this id made. */
function writeLock(path: string, id: number): string {
  mkdirSync(`${path}.lock`);
  const file = join(`${path}.lock`, '0123456789ab');
  writeFileSync(file, JSON.stringify({ host: hostname(), process: id }));
  return file;
}

test('a process that was killed while it changed the settings stops no later change', async () => {
  const folder = await testFolder();
  const home = join(folder, 'home');
  const path = join(home, 'config.json');
  const program = await makeProgram('tests/config/programs/killed-in-change.ts', join(folder, 'killed.mjs'));
  await once(fork(program, [path]), 'exit');
  expect(readdirSync(home)).toEqual(['config.json.lock']);
  expect(isHomeEntry('config.json.lock')).toBe(true);
  await editSettings(path, [['recall.edit', () => true]]);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ 'recall.edit': true });
});

test('a lock that nobody releases is void after a minute', async () => {
  const path = join(await testFolder(), 'config.json');
  const file = writeLock(path, process.ppid);
  const change = () => editSettings(path, [['recall.edit', () => true]], 100);
  await expect(change()).rejects.toMatchObject({ code: 'HOME_LOCKED', hint: 'Try again in a minute.' });
  expect(existsSync(path)).toBe(false);
  utimesSync(file, new Date(0), new Date(0));
  expect(await change()).toEqual(['recall.edit']);
});

test('a change that lost its lock replaces nothing', async () => {
  const path = join(await testFolder(), 'config.json');
  const change = () => {
    rmSync(`${path}.lock`, { recursive: true });
    writeLock(path, process.ppid);
    return true;
  };
  await expect(editSettings(path, [['recall.edit', change]])).rejects.toMatchObject({ code: 'HOME_LOCKED' });
  expect(readdirSync(join(path, '..'))).toEqual(['config.json.lock']);
});
