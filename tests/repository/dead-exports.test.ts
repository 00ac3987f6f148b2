import { expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

test('what a file of the product exports is used by the product', () => {
  const files = trackedFiles().filter((path) =>
    /^(log|projections|src|scripts)\/.*\.(ts|tsx|mjs)$/.test(path),
  );
  const uses = new Map<string, number>();
  for (const file of files)
    for (const [name] of read(file).matchAll(/[A-Za-z_$][\w$]*/g)) uses.set(name, (uses.get(name) ?? 0) + 1);
  const exported = files.flatMap((file) =>
    [...read(file).matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)].map(
      ([, name = '']) => ({ file, name }),
    ),
  );
  expect(exported.length).toBeGreaterThan(1_000);
  expect(exported.filter(({ name }) => uses.get(name) === 1)).toEqual([]);
});
