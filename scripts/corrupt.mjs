// `npm run corrupt -- --flips 3000 --truncations 300 --seed 1`: damages every part of a home, with more rounds than
// `npm test`. docs/trust.md describes the results.
import './node-version.mjs';
import { install } from './install.mjs';

process.exitCode = install();
if (process.exitCode === 0) {
  const { loadTypescript } = await import('./load-typescript.mjs');
  await loadTypescript('tests/corruption/main.ts');
}
