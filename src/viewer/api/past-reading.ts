// How far the reading of an earlier state is. It is under way while a request waits for it.
import { useLayoutEffect, useState } from 'preact/hooks';
import { on } from './live.ts';
import type { WorkProgress } from './types.ts';
import { isAwaited, onPastAnswered } from './waiting-past.ts';

let newest: WorkProgress | null = null;
const listeners = new Set<() => void>();

on('progress', (progress) => {
  if (progress.work === 'past' && isAwaited(progress.asOf!)) become(progress);
});
onPastAnswered(() => {
  if (newest !== null && !isAwaited(newest.asOf!)) become(null);
});

/** Null: nothing is read for that moment. */
export function usePastReading(asOf: string): WorkProgress | null {
  const current = () => (newest?.asOf === asOf ? newest : null);
  const [reading, setReading] = useState(current);
  useLayoutEffect(() => {
    const look = () => setReading(current());
    look();
    listeners.add(look);
    return () => {
      listeners.delete(look);
    };
  }, [asOf]);
  return reading;
}

function become(next: WorkProgress | null): void {
  newest = next;
  for (const listener of listeners) listener();
}
