// `npm start`: runs Annals from a fresh clone. Installs dependencies, builds when stale, runs `annals up`, and stays: the
// worker runs in this process until Ctrl-C or `annals worker stop`.
// Further arguments go to `annals up`: npm start -- --home /tmp/annals
import './node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './install.mjs';
import { root } from './run.mjs';

process.exitCode = await start();

async function start() {
  const installed = install();
  if (installed !== 0) return installed;
  const { build } = await import('./build.mjs');
  const built = await build({ ifStale: true, types: false });
  if (built !== 0) return built;
  // In this process, so that a signal reaches it.
  process.env.ANNALS_COMMAND = 'npx annals';
  const command = join(root, 'dist/cli.cjs');
  process.argv.splice(1, 1, command, 'up', '--foreground');
  await import(pathToFileURL(command).href);
  return process.exitCode;
}
