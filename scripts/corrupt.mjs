// `npm run corrupt -- --flips 3000 --truncations 300 --seed 1`: damage to every part of a home, more of it than
// `npm test` does. docs/trust.md says what it shows.
import './node-version.mjs';
import { install } from './install.mjs';

process.exitCode = install();
if (process.exitCode === 0) {
  const { loadTypescript } = await import('./load-typescript.mjs');
  await loadTypescript('tests/corruption/main.ts');
}
