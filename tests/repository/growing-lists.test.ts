import { expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

test('a list in a map grows in its place: a copy for each addition takes the square of its length', () => {
  const code = trackedFiles().filter((path) => /^(log|projections|src)\/.*\.tsx?$/.test(path));
  expect(code).toContain('src/observer/observer-cost.ts');
  expect(code.filter((path) => /\.set\([^;]*\[\s*\.\.\.\([^;]*\?\? \[\]\),/.test(read(path)))).toEqual([]);
});
