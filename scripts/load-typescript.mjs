// Runs TypeScript of this repository without building dist/: bundles one file into a temporary module below dist/
// (so that packages resolve), imports it and removes it.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundling, threadPrograms } from './build.mjs';
import { root } from './run.mjs';

/** Packages that cannot be bundled: they load files next to their own. */
const UNBUNDLED = ['esbuild', 'playwright-core', 'typescript'];

/** The module's exports. `path` is relative to the repository's root. */
export async function loadTypescript(path) {
  const { build } = await import('esbuild');
  const folder = join(root, 'dist', 'scripts');
  const outfile = join(folder, `${basename(path, '.ts')}-${process.pid}.js`);
  const threadFolder = join(folder, `threads-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const external = [...bundling.external, ...UNBUNDLED];
    await build({ ...bundling, entryPoints: [path], outfile, external, sourcemap: 'inline' });
    // Renamed, because another process may be starting one of them.
    await build({ ...threadPrograms, outdir: threadFolder });
    for (const name of readdirSync(threadFolder)) renameSync(join(threadFolder, name), join(folder, name));
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
    rmSync(threadFolder, { recursive: true, force: true });
  }
}
