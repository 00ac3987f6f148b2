import { expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

test('a test that replaces modules has a process of its own', () => {
  const [, alone = ''] = /const ALONE = \[(.*?)\]/s.exec(read('vitest.config.ts')) ?? [];
  const listed = [...alone.matchAll(/'(.+?)'/g)].map(([, name]) => `tests/${name}.test.ts`);
  const replacing = trackedFiles().filter(
    (path) => path.endsWith('.test.ts') && /^\s*vi\.(?:mock|doMock)\(/m.test(read(path)),
  );
  expect(replacing.length).toBeGreaterThan(1);
  expect(listed.sort()).toEqual(replacing.sort());
});
