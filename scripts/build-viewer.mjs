// Builds the viewer, the page that the worker serves: one style sheet, a script, and the scripts of the
// screens that are loaded later, with the hash of their content in their names.
import { join, relative } from 'node:path';
import { root } from './run.mjs';

/** Returns the bundled modules, relative to the root. @throws what Vite throws, after printing it */
export async function buildViewer(folder) {
  const { build } = await import('vite');
  const { output } = await build({
    root: join(root, 'src/viewer'),
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      // A data: address would need a weaker Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      target: 'es2022',
      // What the first screen needs is one file, however many other screens need some of it too.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    },
  });
  return output
    .filter(({ type }) => type === 'chunk')
    .flatMap(({ moduleIds }) => moduleIds)
    .map((path) => relative(root, path));
}
