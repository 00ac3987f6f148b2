// Measures whole processes from outside: the time from the start of Node to its end, as a user sees it, and the
// processor time and peak memory that the process reports at its end.
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Sample } from './measure.ts';

/** The repository's root, both from this file and from the bundle that `npm run bench` makes of it. */
export const REPOSITORY = resolve(import.meta.dirname, '../..');
const USAGE = join(REPOSITORY, 'bench/harness/usage.cjs');

export interface Ended extends Sample {
  readonly peakBytes: number;
  readonly stdout: string;
}

/** Runs Node with these arguments. @throws Error with the process's output when it fails */
export async function runNode(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--require', USAGE, ...words], {
    cwd: REPOSITORY,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const output = ['', '', ''];
  for (const [index, stream] of [child.stdout, child.stderr, child.stdio[3]].entries())
    stream!.on('data', (chunk) => {
      output[index] += String(chunk);
    });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  });
  const ms = performance.now() - start;
  const [stdout, stderr, usage] = output as [string, string, string];
  if (code !== 0) throw new Error(`node ${words.join(' ')} ended with ${code}: ${stderr}`);
  return { ms, stdout, ...(JSON.parse(usage) as { peakBytes: number; cpuMs: number }) };
}

/** Builds dist/ when it is stale. Returns the path of the command. */
export function builtCommand(): string {
  const made = spawnSync(process.execPath, ['scripts/build.mjs', '--if-stale', '--no-types'], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (made.status !== 0) throw new Error('dist/ could not be built.');
  return join(REPOSITORY, 'dist/cli.cjs');
}

/** Bundles a TypeScript file of bench/ into a program for Node, passes its path to the callback and removes it. */
export async function withProgram<T>(source: string, use: (path: string) => Promise<T>): Promise<T> {
  // Inside the repository, so that packages resolve.
  const folder = join(REPOSITORY, 'dist', 'bench');
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `${basename(source, '.ts')}-${process.pid}.mjs`);
  try {
    await build({
      entryPoints: [join(REPOSITORY, source)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    });
    return await use(outfile);
  } finally {
    await rm(outfile, { force: true });
  }
}

/** Runs with a temporary folder that is always removed afterwards. */
export async function inFolder<T>(use: (path: string) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'annals-bench-'));
  try {
    return await use(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
