// `npm run fuzz -- --cases 200000 --seed 1 [--jobs 2] [--kind hook]`: hostile input, with more cases than `npm test`.
// docs/trust.md describes it.
import './node-version.mjs';
import { install } from './install.mjs';

process.exitCode = install();
if (process.exitCode === 0) {
  const { loadTypescript } = await import('./load-typescript.mjs');
  await loadTypescript('tests/hostile/fuzz/main.ts');
}
