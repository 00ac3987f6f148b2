// Runs TypeScript of this repository without building dist/: bundles one file into a temporary module below dist/
// (so that packages resolve), imports it and removes it.
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundling, thread } from './build.mjs';
import { root } from './run.mjs';

const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The module's exports. `path` is relative to the repository's root. */
export async function loadTypescript(path) {
  const { build } = await import('esbuild');
  const folder = join(root, 'dist', 'scripts');
  const outfile = join(folder, `${basename(path, '.ts')}-${process.pid}.js`);
  const threadFile = `scan-thread-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  try {
    // Dependencies of the product are bundled as in the build; development dependencies stay external.
    const external = [...bundling.external, ...Object.keys(devDependencies)];
    await build({ ...bundling, entryPoints: [path], outfile, external, sourcemap: 'inline' });
    await build({
      ...bundling,
      ...thread,
      entryPoints: { [threadFile]: 'log/verify/scan-thread.ts' },
      outdir: folder,
    });
    renameSync(join(folder, `${threadFile}.cjs`), join(folder, 'scan-thread.cjs'));
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
