// Only one process can hold the log. If it is taken, this waits with one-shot timers, reports the wait after a second,
// and finally throws the error with the reason.
import { AnnalsError, isAnnalsError } from '../../log/index.ts';

/** Five commands at once took 11 s on a machine with two processors and a load of 18. */
export const LOCK_TIMEOUT_MS = 15_000;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;
const REPORT_AFTER_MS = 1_000;

export interface LockWait {
  readonly timeoutMs: number;
  /** Called once, when the wait has lasted a second. */
  readonly onWait?: (() => void) | undefined;
}

/** Retries to open until the lock is free. @throws AnnalsError HOME_LOCKED after the timeout; any other error at once */
export async function whenFree<T>(open: () => Promise<T>, { timeoutMs, onWait }: LockWait): Promise<T> {
  // Not the clock, which may be set meanwhile, nor `performance`: its first use costs milliseconds.
  const began = process.uptime();
  let isReported = false;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await open();
    } catch (error) {
      if (!isAnnalsError(error) || error.code !== 'HOME_LOCKED') throw error;
      const waited = 1_000 * (process.uptime() - began);
      if (waited + wait > timeoutMs) {
        throw new AnnalsError(
          'HOME_LOCKED',
          `The log is held by another annals process; waited ${(waited / 1_000).toFixed(1)} s for it.`,
          {
            hint: 'Wait for the other command to end, then try again.',
            cause: error,
          },
        );
      }
      if (!isReported && waited >= REPORT_AFTER_MS) {
        isReported = true;
        onWait?.();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
