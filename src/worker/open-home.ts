// Opens a home for a command: through the worker if one runs, else the log itself. The answers are the same.
import type { Annals, OpenOptions } from '../api.ts';
import { LOCK_TIMEOUT_MS, whenFree } from '../home/wait-for-lock.ts';
import { homePath } from '../platform/home-paths.ts';
import type { WorkerClient } from './connect-worker.ts';
import { socketOf } from './worker-files.ts';

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
  /** A worker that starts holds the log before it can be asked. */
  const whenOpen = <T>(open: () => Promise<T>) => whenFree(open, { timeoutMs: lockTimeoutMs, onWait });
  const direct = () => openDirectly({ ...options, lockTimeoutMs: 0 });
  return whenOpen(async () => {
    const served = await throughWorker();
    if (served === null) return direct();
    const { repeatWhenGone } = await import('./repeat-when-gone.ts');
    return repeatWhenGone(served, () => whenOpen(async () => (await throughWorker()) ?? direct()));
  });
}
