// The library as a program of its own, which can start the thread that holds a home: from the sources there is none.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Annals, OpenOptions } from '../../src/index.ts';
import { makeProgram, makeThread } from './program.ts';

/** Builds the library into a folder. Returns `openAnnals` with a thread of its own. */
export async function threadedLibrary(folder: string): Promise<(options: OpenOptions) => Promise<Annals>> {
  const path = await makeProgram('src/index.ts', join(folder, 'index.mjs'));
  await makeThread('src/home-thread.ts', folder);
  const library = (await import(pathToFileURL(path).href)) as typeof import('../../src/index.ts');
  return (options) => library.openAnnals({ ...options, thread: true });
}
