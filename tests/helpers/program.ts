// Bundles a TypeScript file of the tests into a program for plain Node, so that a test can run and kill it as a
// separate process.
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

export const REPOSITORY = join(import.meta.dirname, '../..');

let isBuilt = false;

/** Once in each process: it looks at all sources. */
export function buildCommand(): void {
  if (isBuilt) return;
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale', '--no-types'], {
    cwd: REPOSITORY,
    stdio: 'pipe',
  });
  isBuilt = true;
}

/** To bundle the whole library takes more than a second of processor time. */
const builtLibrary: Plugin = {
  name: 'built-library',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/src\/index\.ts$/ }, () => {
      buildCommand();
      return { path: pathToFileURL(join(REPOSITORY, 'dist/index.js')).href, external: true };
    }),
};

/** One file; the library, unless there are other plugins, and LevelDB's native part stay outside. The package's models are next to it, as in dist/. */
export async function makeProgram(
  source: string,
  outfile: string,
  plugins: readonly Plugin[] = [builtLibrary],
): Promise<string> {
  await build({
    entryPoints: [join(REPOSITORY, source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(${JSON.stringify(`${REPOSITORY}/`)});`,
    },
    external: ['classic-level'],
    plugins: [...plugins],
    // The CommonJS form of some packages cannot be bundled.
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  const models = join(dirname(outfile), 'models');
  if (!existsSync(models)) symlinkSync(join(REPOSITORY, 'models'), models, 'junction');
  return outfile;
}

/** A worker thread's program, with the name that `startThread` looks for, in this folder. */
export async function makeThread(source: string, folder: string): Promise<void> {
  await build({
    entryPoints: [
      join(REPOSITORY, source),
      { in: join(REPOSITORY, 'src/platform/thread-main.ts'), out: 'thread' },
    ],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    banner: { js: `require = require('node:module').createRequire(${JSON.stringify(`${REPOSITORY}/`)});` },
    define: { 'import.meta.dirname': '__dirname' },
    external: ['classic-level'],
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
}

/** For commands of tests: on a busy machine a session start may take longer than a person waits. */
export const NO_HURRY = { ANNALS_SESSION_START_MS: '250000' };
