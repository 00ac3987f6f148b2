// Waiting, once, for a time that somebody gave. Handed in like the clock, so that tests need not wait.
import { setTimeout as timer } from 'node:timers/promises';

/** Resolves after so many ms; rejects at once when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  await timer(ms, undefined, signal === undefined ? {} : { signal });
}
