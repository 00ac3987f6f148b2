// `npm run simulate -- --runs 100000 --seed 1 [--jobs 2] [--disk leveldb] [--kind power] [--trace]`: the simulation, with
// more runs than `npm test`. docs/trust.md describes it. `npm run simulate -- share --machines 1000 --seed 1`: machines that share.
import './node-version.mjs';
import { install } from './install.mjs';

process.exitCode = install();
if (process.exitCode === 0) {
  const { loadTypescript } = await import('./load-typescript.mjs');
  await loadTypescript(
    process.argv[2] === 'share' ? 'tests/share/simulation/main.ts' : 'tests/simulation/main.ts',
  );
}
