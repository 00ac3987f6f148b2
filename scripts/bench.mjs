// `npm run bench [name…]`: runs bench/**/*.bench.ts one after another, or only those whose path contains a given name.
// Options (`--…`) are for the benchmarks themselves. A benchmark is a module that prints its own numbers.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import './node-version.mjs';
import { install } from './install.mjs';
import { root } from './run.mjs';

// A command that a benchmark runs leaves no worker behind; a benchmark of the worker sets its own environment.
process.env.ANNALS_WORKER ??= 'off';

process.exitCode = install() || (await bench(process.argv.slice(2).filter((word) => !word.startsWith('--'))));

async function bench(names) {
  const { loadTypescript } = await import('./load-typescript.mjs');
  const found = benches(join(root, 'bench')).filter(
    (path) => names.length === 0 || names.some((name) => path.includes(name)),
  );
  if (found.length === 0) {
    console.error(
      'No benchmark has this name. There are: ',
      benches(join(root, 'bench')).join(', ') || 'none',
    );
    return 1;
  }
  for (const path of found) {
    console.log(`\n── ${path}`);
    await loadTypescript(path);
  }
  return 0;
}

function benches(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.bench.ts'))
    .map((name) => relative(root, join(folder, name)))
    .sort();
}
