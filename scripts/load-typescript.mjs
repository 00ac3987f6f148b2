// Runs TypeScript of this repository without building dist/: bundles one file into a temporary module next
// to node_modules (so that packages resolve), imports it and removes it.
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundling } from './build.mjs';
import { root } from './run.mjs';

/** The module's exports. `path` is relative to the repository's root. */
export async function loadTypescript(path) {
  const { build } = await import('esbuild');
  const folder = join(root, 'dist', 'scripts');
  const outfile = join(folder, `${basename(path, '.ts')}-${process.pid}.js`);
  mkdirSync(folder, { recursive: true });
  try {
    await build({ ...bundling, entryPoints: [path], outfile, packages: 'external', sourcemap: 'inline' });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
