// The built library, which can start the thread that holds a home: from the sources there is none.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Annals, OpenOptions } from '../../src/index.ts';
import { REPOSITORY } from './program.ts';

/** Returns `openAnnals` with a thread of its own. The folder is for a file. */
export async function threadedLibrary(folder: string): Promise<(options: OpenOptions) => Promise<Annals>> {
  // Node loads a module outside of the repository as it is; others would be compiled for the tests.
  const path = join(folder, 'index.mjs');
  writeFileSync(
    path,
    `export * from ${JSON.stringify(pathToFileURL(join(REPOSITORY, 'dist/index.js')).href)};\n`,
  );
  const library = (await import(pathToFileURL(path).href)) as typeof import('../../src/index.ts');
  return (options) => library.openAnnals({ ...options, thread: true });
}
