// Whether the views are being built from the log, and how far that is: after an update, or because someone asked for it.
import { useLayoutEffect, useState } from 'preact/hooks';
import { on } from './live.ts';
import type { WorkProgress } from './types.ts';

let current: WorkProgress | null = null;
const listeners = new Set<() => void>();

on('progress', (progress) => {
  if (progress.work === 'verify' || progress.work === 'past') return;
  current = progress.done < progress.total ? progress : null;
  for (const listener of listeners) listener();
});
// Its end may have come while the connection was lost.
on('connection', (state) => {
  if (state === 'live' || current === null) return;
  current = null;
  for (const listener of listeners) listener();
});

export const isBuilding = (): boolean => current !== null;

/** Null: they are as the log is. */
export function useBuilding(): WorkProgress | null {
  const [building, setBuilding] = useState(current);
  useLayoutEffect(() => {
    const look = () => setBuilding(current);
    look();
    listeners.add(look);
    return () => {
      listeners.delete(look);
    };
  }, []);
  return building;
}
