// Which files a watch of folders reports. Each expectation waits until the change arrived.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderWatch } from '../../src/worker/watch-folders.ts';

let root: string;
let reported: string[];
let problems: unknown[];
const watches: FolderWatch[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'annals-watch-folders-'));
  reported = [];
  problems = [];
});
afterEach(() => {
  for (const watch of watches.splice(0)) watch.end();
  rmSync(root, { recursive: true, force: true });
});

async function watching(...folders: readonly string[]): Promise<FolderWatch> {
  const watch = new FolderWatch({
    folders: folders.map((path) => ({
      path: join(root, path),
      onFile: (file) => reported.push(file.slice(root.length + 1)),
    })),
    depth: 2,
    userHome: root,
    onProblem: (error) => problems.push(error),
  });
  watches.push(watch);
  await watch.start();
  return watch;
}

function write(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), 'x', { flag: 'a' });
}

const hears = (path: string) => expect.poll(() => reported).toContain(path);

test('reports the files that are there, in folders and folders of them, without links', async () => {
  write('agent/a');
  write('agent/b/c/d');
  write('agent/too/deep/for/this');
  write('elsewhere/f');
  symlinkSync(join(root, 'elsewhere'), join(root, 'agent/link'));
  const watch = await watching('agent', 'missing');
  expect(reported.sort()).toEqual(['agent/a', 'agent/b/c/d']);
  expect(watch.watched).toEqual([join(root, 'agent')]);
});

test('reports a file that is new and of one that changed, also in a new folder', async () => {
  write('agent/b/c');
  await watching('agent');
  reported = [];
  write('agent/b/c');
  await hears('agent/b/c');
  write('agent/new/folder/file');
  await hears('agent/new/folder/file');
  reported = [];
  write('agent/new/folder/file');
  await hears('agent/new/folder/file');
  expect(problems).toEqual([]);
});

test('goes on in a folder that was moved, and in one that took its place', async () => {
  write('agent/b/c');
  await watching('agent');
  renameSync(join(root, 'agent/b'), join(root, 'agent/moved'));
  write('agent/b/other');
  await hears('agent/moved/c');
  await hears('agent/b/other');
  reported = [];
  write('agent/moved/c');
  write('agent/b/other');
  await hears('agent/moved/c');
  await hears('agent/b/other');
  expect(new Set(reported)).toEqual(new Set(['agent/moved/c', 'agent/b/other']));
});

test('begins with a folder when it appears, and again when it was removed', async () => {
  mkdirSync(join(root, 'agent'));
  const watch = await watching('agent/data/sessions');
  write('agent/data/other');
  write('agent/data/sessions/a');
  await hears('agent/data/sessions/a');
  rmSync(join(root, 'agent/data'), { recursive: true });
  await expect.poll(() => watch.watched).toEqual([]);
  write('agent/data/sessions/b');
  await hears('agent/data/sessions/b');
  expect(reported).not.toContain('agent/data/other');
  expect(problems).toEqual([]);
});

test('looks again for a folder whose agent was not there at all', async () => {
  const watch = await watching('agent/sessions');
  await watch.lookAgain();
  write('agent/sessions/a');
  expect(reported).toEqual([]);
  await watch.lookAgain();
  expect(reported).toEqual(['agent/sessions/a']);
});

test('reports nothing after its end', async () => {
  write('agent/a');
  const watch = await watching('agent', 'other/sessions');
  reported = [];
  watch.end();
  write('agent/b');
  write('other/sessions/c');
  await watch.lookAgain();
  const later = new FolderWatch({
    folders: [{ path: join(root, 'agent'), onFile: (file) => reported.push(`later ${file}`) }],
    depth: 2,
    userHome: root,
    onProblem: () => {},
  });
  watches.push(later);
  await later.start();
  write('agent/d');
  await expect.poll(() => reported).toContain(`later ${join(root, 'agent/d')}`);
  expect(reported.every((path) => path.startsWith('later '))).toBe(true);
});
