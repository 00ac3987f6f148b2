import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

const PATH = /`((?:log|projections|src|tests|bench|scripts|docs|examples|plugins|models)\/[^\s`]+?)\/?`/g;

test('every path in this repository that the documentation names exists', () => {
  const files = trackedFiles();
  const known = new Set([...files, ...files.flatMap(foldersOf)]);
  const exists = (path: string) =>
    known.has(path) || (/[*<]/.test(path) && files.some((file) => patternOf(path).test(file)));
  const documents = files.filter((path) => path.endsWith('.md'));
  const named = documents.flatMap((document) =>
    [...read(document).matchAll(PATH)].map(([, path = '']) => ({ document, path })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !exists(path))).toEqual([]);
});

/** `src/agents/<name>/index.ts` and `src/http/*-routes.ts` stand for some file. */
function patternOf(path: string): RegExp {
  const parts = path.split(/\*|<[^>]+>/).map((part) => part.replace(/[.+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
