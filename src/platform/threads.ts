// Starts worker threads from the programs that scripts/build.mjs puts next to the command and the library.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Null when the program is not there: when run from the sources, or bundled by somebody else. */
export function startThread(program: string, data: unknown): Worker | null {
  // The library's files are one folder deeper than the programs.
  const folders = [import.meta.dirname, dirname(import.meta.dirname)];
  const path = folders.map((folder) => join(folder, `${program}.cjs`)).find((one) => existsSync(one));
  return path === undefined ? null : new Worker(path, { workerData: data });
}
