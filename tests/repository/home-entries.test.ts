// `annals doctor --fix` closes a home only if it holds nothing but entries of homes, so the list must be complete.
import { expect, test } from 'vitest';
import { RECALL_OCCASIONS } from '../../src/api/recall.ts';
import { RECALL_SOCKET } from '../../src/capture/spool/capture-script.ts';
import { isHomeEntry } from '../../src/platform/home-paths.ts';
import { read, trackedFiles } from './source-files.ts';

const PLACE = /\bjoin\((?:\w+\.)*home, '([^'/]+)/g;

test('every name that the code puts into a home is in the list', () => {
  const sources = trackedFiles().filter((path) => /^src\/.*\.ts$/.test(path));
  const names = new Set(sources.flatMap((path) => [...read(path).matchAll(PLACE)].map(([, name]) => name!)));
  expect(sources.length === 0 || names.has('capture-token')).toBe(true);
  for (const occasion of RECALL_OCCASIONS) names.add(`${RECALL_SOCKET}${occasion}`);
  expect([...names].filter((name) => !isHomeEntry(name))).toEqual([]);
});

test('the list has no other names', () => {
  expect(['thesis.tex', 'log2', 'thesis.tex.0123456789ab.tmp'].filter(isHomeEntry)).toEqual([]);
});
