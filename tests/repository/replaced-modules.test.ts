import { expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

const REPLACES = /^\s*vi\.(?:mock|doMock)\(/m;

// The others of its process would get the replacement, or it would get the module that they have loaded.
test('no test replaces a module: it replaces a function of it, until the test ends', () => {
  expect("  vi.mock('age-encryption', () => ({}));").toMatch(REPLACES);
  const tests = trackedFiles().filter((path) => /^tests\/.*\.ts$/.test(path));
  expect(tests.filter((path) => REPLACES.test(read(path)))).toEqual([]);
});
