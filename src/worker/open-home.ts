// Opens a home for a command: through the worker if one runs, else the log itself. The answers are the same.
import type { Annals, OpenOptions } from '../api.ts';
import { whenFree } from '../home/wait-for-lock.ts';
import { now } from '../platform/clock.ts';
import { homePath } from '../platform/home-paths.ts';
import type { WorkerClient } from './connect-worker.ts';
import { socketOf } from './worker-files.ts';

const LOCK_TIMEOUT_MS = 5_000;

export function openThroughWorker(
  options: OpenOptions,
  client: WorkerClient,
  openDirectly: (options: OpenOptions) => Promise<Annals>,
): Promise<Annals> {
  const { home = homePath(), lockTimeoutMs = LOCK_TIMEOUT_MS, onWait } = options;
  const throughWorker = async () => {
    if (socketOf(home) === null) return null;
    const { connectWorker } = await import('./connect-worker.ts');
    return connectWorker(home, client);
  };
  return whenFree(
    // A worker that starts holds the log before it can be asked.
    async () => (await throughWorker()) ?? (await openDirectly({ ...options, lockTimeoutMs: 0 })),
    { timeoutMs: lockTimeoutMs, now, onWait },
  );
}
