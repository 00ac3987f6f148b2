// Product code gets randomness from src/platform only. The import rules cannot check this: hashes and random bytes
// come from the same module of Node.
import { expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

const RANDOM =
  /\bMath\.random\b|\bcrypto\.(?:random\w+|getRandomValues)|import\s*\{[^}]*\brandom\w*[^}]*\}\s*from\s*'node:crypto'/;

test('random bytes come from src/platform only', () => {
  const product = trackedFiles().filter((path) => /^(log|projections|src)\/.*\.tsx?$/.test(path));
  const users = product.filter((path) => RANDOM.test(read(path)));
  expect(users.filter((path) => !path.startsWith('src/platform/'))).toEqual([]);
  expect(users).toContain('src/platform/random-bytes.ts');
});
