import { expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

// The others of its process would get the replacement, or it would get the module that they have loaded.
test('no test replaces a module: it replaces a function of it, until the test ends', () => {
  const replacing = trackedFiles().filter(
    (path) => path.endsWith('.test.ts') && /^\s*vi\.(?:mock|doMock)\(/m.test(read(path)),
  );
  expect(replacing).toEqual([]);
});
