// The moments whose memory requests wait for.
const waiting = new Map<string, number>();
const listeners = new Set<() => void>();

export const isAwaited = (asOf: string): boolean => waiting.has(asOf);

/** Calls `listener` when a moment is no longer awaited. */
export function onPastAnswered(listener: () => void): void {
  listeners.add(listener);
}

export async function awaited<T>(asOf: string, answer: Promise<T>): Promise<T> {
  waiting.set(asOf, (waiting.get(asOf) ?? 0) + 1);
  try {
    return await answer;
  } finally {
    const left = waiting.get(asOf)! - 1;
    if (left > 0) waiting.set(asOf, left);
    else {
      waiting.delete(asOf);
      for (const listener of listeners) listener();
    }
  }
}
