// The only clock and the only waiting. They are injected, so that tests control the time and need not wait.
import { setTimeout as timer } from 'node:timers/promises';

/** Unix ms. */
export function now(): number {
  return Date.now();
}

/** Resolves after `ms`; rejects at once when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  await timer(ms, undefined, signal === undefined ? {} : { signal });
}
