// Most test files share a process, in which a helper module is loaded once. A hook that it registers when it is loaded
// runs in the first file only, so helpers register theirs when they are called.
import { expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

test('no helper of the tests registers a hook when it is loaded', () => {
  const helpers = trackedFiles().filter((path) => /^tests\/.*(?<!\.test|\.suite)\.ts$/.test(path));
  expect(helpers).toContain('tests/worker/homes.ts');
  expect(helpers.filter((path) => /^(?:after|before)(?:Each|All)\(/m.test(read(path)))).toEqual([]);
});
