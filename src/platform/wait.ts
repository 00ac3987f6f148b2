// Waits for a given time. Injected like the clock, so that tests need not wait.
import { setTimeout as timer } from 'node:timers/promises';

/** Resolves after `ms`; rejects at once when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  await timer(ms, undefined, signal === undefined ? {} : { signal });
}
