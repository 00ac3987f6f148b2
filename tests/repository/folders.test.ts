// Checks the folders of the code: their size, and that they do not import each other in a circle. Dependency-cruiser
// checks circles between files.
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

const FILES_MAX = 25;

const code = trackedFiles().filter(
  (path) =>
    /^(log|projections|src|tests|bench|scripts)\/.*\.(ts|tsx|mjs)$/.test(path) &&
    !path.includes('/fixtures/'),
);

describe('a folder', () => {
  test(`holds at most ${FILES_MAX} files of code`, () => {
    const sizes = new Map<string, number>();
    for (const path of code) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
    const large = [...sizes].filter(([, size]) => size > FILES_MAX);
    expect(large).toEqual([]);
  });

  test('does not import another one in a circle', () => {
    expect(circles(importsBetweenRooms())).toEqual([]);
  });
});

test('finds a circle between folders', () => {
  const imports = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b', 'd'])],
  ]);
  expect(circles(imports)).toEqual([['b', 'c']]);
});

/** The folder of a file. A file directly in log/, projections/, src/, tests/ or bench/ is a room of its own. */
function roomOf(path: string): string {
  return dirname(path).includes('/') ? dirname(path) : path;
}

/** Static imports, types included. An `import()` is left out: it loads a command or a thread when it is called. */
function importsBetweenRooms(): Map<string, Set<string>> {
  const known = new Set(code.filter((path) => /^(log|projections|src|tests|bench)\//.test(path)));
  const imports = new Map<string, Set<string>>();
  for (const path of known)
    for (const [, target = ''] of read(path).matchAll(/(?:from|import)\s*['"](\.[^'"]+)['"]/g)) {
      const imported = join(dirname(path), target);
      if (!known.has(imported) || roomOf(imported) === roomOf(path)) continue;
      if (!imports.has(roomOf(path))) imports.set(roomOf(path), new Set());
      imports.get(roomOf(path))?.add(roomOf(imported));
    }
  return imports;
}

/** Groups of rooms that reach each other, sorted. */
function circles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...imports.keys()].map((room) => [room, reachable(room, imports)] as const));
  const groups = new Map<string, string[]>();
  for (const [room, others] of reached) {
    const group = [...others].filter((other) => reached.get(other)?.has(room)).sort();
    if (group.length > 0) groups.set(group.join(' '), group);
  }
  return [...groups.values()];
}

/** Every room that a room imports, directly or through others. */
function reachable(room: string, imports: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [room];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const target of imports.get(next) ?? [])
      if (!found.has(target)) {
        found.add(target);
        open.push(target);
      }
  return found;
}
