// Runs TypeScript of this repository without building dist/: bundles one file into a temporary module below dist/
// (so that packages resolve), imports it and removes it.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundling, threadPrograms } from './build.mjs';
import { root } from './run.mjs';

/** Packages that cannot be bundled: they load files next to their own. */
const UNBUNDLED = ['esbuild', 'playwright-core', 'typescript'];

/** Made at most once by this process. */
let threads = null;

/** The module's exports. `path` is relative to the repository's root. */
export async function loadTypescript(path) {
  const { build } = await import('esbuild');
  const folder = join(root, 'dist', 'scripts');
  // Of the whole path: Node imports the same URL only once, and benches of two folders have the same name.
  const name = path.replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-');
  const outfile = join(folder, `${name}-${process.pid}.js`);
  mkdirSync(folder, { recursive: true });
  try {
    const external = [...bundling.external, ...UNBUNDLED];
    await build({ ...bundling, entryPoints: [path], outfile, external, sourcemap: 'inline' });
    threads ??= makeThreads(build, folder);
    await threads;
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}

async function makeThreads(build, folder) {
  const threadFolder = join(folder, `threads-${process.pid}`);
  try {
    await build({ ...threadPrograms, outdir: threadFolder });
    // Renamed, because another process may be starting one of them.
    for (const name of readdirSync(threadFolder)) renameSync(join(threadFolder, name), join(folder, name));
  } finally {
    rmSync(threadFolder, { recursive: true, force: true });
  }
}
