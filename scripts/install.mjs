// Installs the dependencies when they are missing or differ from package-lock.json; otherwise does nothing.
// Package install scripts are disabled: LevelDB ships prebuilt binaries. When there is none for this platform, LevelDB
// is built; that build is the only script that runs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './node-version.mjs';
import { root, run } from './run.mjs';

const installed = join(root, 'node_modules', '.package-lock.json');
const lock = join(root, 'package-lock.json');

/** Returns 0 when everything is installed, else the exit code of the failed step. */
export function install() {
  if (!isStale()) return 0;
  console.error('Installing dependencies: npm ci --ignore-scripts');
  const code = npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (code !== 0) return code;
  if (levelLoads()) return 0;
  console.error(
    'LevelDB has no prebuilt binary for this platform: building it (needs Python and a C++ compiler)',
  );
  const built = npm(['rebuild', 'classic-level', '--build-from-source']);
  if (built !== 0 || !levelLoads()) {
    console.error('LevelDB could not be built. Annals needs it; see the lines above.');
    return 1;
  }
  return 0;
}

/** Compares npm's record of its last install with the lock file. File times are useless: a checkout changes them. */
function isStale() {
  if (!existsSync(installed)) return true;
  const have = packagesOf(installed);
  return Object.entries(packagesOf(lock)).some(
    ([path, wanted]) => path !== '' && !wanted.optional && have[path]?.version !== wanted.version,
  );
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function levelLoads() {
  return run(process.execPath, ['-e', "require('classic-level')"], { stdio: 'ignore' }) === 0;
}

/** npm is `npm.cmd` on Windows, which only a shell can start. npm's output goes to stderr, to keep stdout for results. */
function npm(args) {
  const viaNode = process.env.npm_execpath;
  const stdio = ['ignore', 2, 2];
  if (viaNode?.endsWith('.js')) return run(process.execPath, [viaNode, ...args], { stdio });
  return run('npm', args, { stdio, shell: process.platform === 'win32' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = install();
