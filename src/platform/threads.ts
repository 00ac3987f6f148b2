// Starts worker threads from the programs that scripts/build.mjs puts next to the command and the library.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';

export type Thread = Worker;

/** The only message of a program, which then ends. Null when the program is not there. */
export function answerOfThread<T>(program: string, data: unknown): Promise<T> | null {
  const thread = startThread(program, data);
  if (thread === null) return null;
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error(`The thread ${program} ended without an answer.`)));
  });
}

/**
 * Space for new objects, MB. With V8's default, 48, a worker at rest takes 5 MB more at 100,158 events; an import takes 1 % less
 * processor time (22.8 and 23.1 s for 10,000 events, medians of four in turn).
 */
const HOME_THREAD_YOUNG_MB = 12;

/** The thread that holds a home: src/home-thread.ts. Null as for `startThread`. */
export function startHomeThread(): Worker | null {
  return startThread('home-thread', null, { maxYoungGenerationSizeMb: HOME_THREAD_YOUNG_MB });
}

/** Null when the program is not there: when run from the sources, or bundled by somebody else. */
export function startThread(program: string, data: unknown, resourceLimits?: ResourceLimits): Worker | null {
  // The library's files are one folder deeper than the programs.
  const folders = [import.meta.dirname, dirname(import.meta.dirname)];
  const path = folders.map((folder) => join(folder, `${program}.cjs`)).find((one) => existsSync(one));
  if (path === undefined) return null;
  return new Worker(join(dirname(path), 'thread.cjs'), {
    argv: [path],
    workerData: data,
    ...(resourceLimits === undefined ? {} : { resourceLimits }),
  });
}
