// `npm start`: runs Annals from a fresh clone. Installs dependencies, builds when stale, runs `annals up`.
// Further arguments go to `annals up`: npm start -- --home /tmp/annals
import './node-version.mjs';
import { install } from './install.mjs';
import { run } from './run.mjs';

process.exitCode = await start();

async function start() {
  const installed = install();
  if (installed !== 0) return installed;
  const { build } = await import('./build.mjs');
  const built = await build({ ifStale: true, types: false });
  if (built !== 0) return built;
  const args = ['dist/cli.cjs', 'up', ...process.argv.slice(2)];
  return run(process.execPath, args, { env: { ANNALS_COMMAND: 'npx annals' } });
}
