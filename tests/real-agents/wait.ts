// Waits for something to happen, with a limit that a busy machine does not reach.
import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 120_000;

/** Polls; false when it never became true. Network namespaces have nothing that could notify us. */
export async function becomes(isTrue: () => boolean, limitMs = LIMIT_MS): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (!isTrue()) {
    if (Date.now() > end) return false;
    await pause(25);
  }
  return true;
}
