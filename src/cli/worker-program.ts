// Loads and runs the worker. One that is started in the background needs nothing else of the command.
import { join } from 'node:path';
import { loadProgram } from '../platform/load-program.ts';
import { startHomeThread } from '../platform/threads.ts';
import type { WorkerEnd, WorkerState } from '../worker/worker.ts';
import { builtFolder } from './package.ts';
import type { runProcessWorker } from './run-worker.ts';

type Program = { runProcessWorker: typeof runProcessWorker };

/** Never rejects. */
export async function runWorkerProgram(
  home: string,
  onReady: (state: WorkerState) => Promise<void> = async () => {},
): Promise<WorkerEnd> {
  // Its thread starts first: it loads while this one does.
  const thread = startHomeThread();
  try {
    const program = loadProgram<Program>(join(builtFolder(), 'worker.cjs'));
    return await program.runProcessWorker({ home, thread, onReady });
  } finally {
    await thread?.terminate();
  }
}
