// What the MCP server needs of the command while no worker runs.
import { type AnnalsError, isAnnalsError } from '../../log/index.ts';
import type { Annals } from '../api.ts';
import { openThroughWorker } from '../worker/open-home.ts';
import { workerClient } from './worker-client.ts';

export interface WithoutWorker {
  /** As `WorkerControl.start`. */
  start(): Promise<unknown>;
  /** The library: through a worker that runs by then. */
  open(): Promise<Annals>;
  failureOf(error: unknown): AnnalsError | null;
}

export function withoutWorker(home: string): WithoutWorker {
  return {
    start: async () => (await import('./process-worker.ts')).processWorker(home).start(),
    open: async () =>
      openThroughWorker({ home }, workerClient(), (await import('./process-worker.ts')).openDirectly),
    failureOf,
  };
}

/** An error of Annals that is no bug; null for any other. */
export function failureOf(error: unknown): AnnalsError | null {
  return isAnnalsError(error) && error.code !== 'INTERNAL' ? error : null;
}
