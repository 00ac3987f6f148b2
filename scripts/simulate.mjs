// `npm run simulate -- --runs 100000 --seed 1 [--jobs 2] [--disk leveldb] [--kind power] [--trace]`: the simulation, with
// more runs than `npm test`. docs/trust.md describes it.
import './node-version.mjs';
import { install } from './install.mjs';

process.exitCode = install();
if (process.exitCode === 0) {
  const { loadTypescript } = await import('./load-typescript.mjs');
  await loadTypescript('tests/simulation/main.ts');
}
