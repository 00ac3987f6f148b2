// Installs agents from npm, one folder per version, outside the repository: ANNALS_TEST_AGENT_CACHE, else the user's
// cache folder. This is the only step with a network. No script of a package runs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const INSTALL_LIMIT_MS = 180_000;

export type Installed = { readonly folder: string; readonly version: string } | { readonly missing: string };

/** The folder of a version; `latest` asks the registry for the version. Never throws, and never hangs. */
export function installAgent(packageName: string, wanted: string): Installed {
  const version = wanted === 'latest' ? latest(packageName) : wanted;
  if (version === null)
    return { missing: `The registry did not say which version of ${packageName} is the latest.` };
  const folder = join(cache(), `${packageName.replaceAll('/', '-')}-${version}`);
  if (existsSync(join(folder, 'node_modules', packageName))) return { folder, version };
  // Installs into a temporary folder first: an interrupted installation must not look complete.
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  writeFileSync(join(temporary, 'package.json'), '{"private":true}');
  const outcome = npm(
    ['install', `${packageName}@${version}`, '--ignore-scripts', '--no-audit', '--no-fund'],
    temporary,
  );
  if (outcome === null) {
    rmSync(temporary, { recursive: true, force: true });
    return {
      missing: `${packageName} ${version} is not in ${cache()} and could not be had from the npm registry.`,
    };
  }
  if (!existsSync(folder)) renameSync(temporary, folder);
  rmSync(temporary, { recursive: true, force: true });
  return { folder, version };
}

function latest(packageName: string): string | null {
  return npm(['view', packageName, 'version'], '/')?.trim() || null;
}

/** What npm printed; null when it failed or took too long. */
function npm(words: readonly string[], cwd: string): string | null {
  const limits = ['--loglevel=error', '--fetch-retries=0', '--fetch-timeout=60000'];
  const { status, stdout } = spawnSync('npm', [...words, ...limits], {
    cwd,
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : null;
}

function cache(): string {
  const chosen = process.env.ANNALS_TEST_AGENT_CACHE;
  if (chosen) return chosen;
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'annals-test-agents');
}

/** The version that a folder's package names. */
export function versionOf(folder: string, packageName: string): string {
  const manifest = readFileSync(join(folder, 'node_modules', packageName, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
