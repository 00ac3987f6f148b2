// Data of a screen: loaded when what it depends on changes, and again after a lost connection.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { onToken } from './access.ts';
import { isBuilding } from './building.ts';
import { ApiError } from './client.ts';
import { on } from './live.ts';

const GONE: ReadonlySet<number> = new Set([401, 404, 410]);

export interface Loaded<T> {
  /** Of the last load that succeeded for the same dependencies; else null. */
  readonly data: T | null;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
  reload(): void;
}

interface State<T> {
  readonly key: string;
  readonly data: T | null;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
}

interface Options {
  /** Loads again when views were built, at most this often, ms. */
  readonly live?: number;
  /** Shows the old data until the new is there, also for other dependencies. */
  readonly keepsOld?: boolean;
}

/** @param key what the data depends on */
export function useData<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { live, keepsOld = false }: Options = {},
): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key, data: null, error: null, isLoading: true });
  const loading = useRef<AbortController | null>(null);
  const latest = useRef(load);
  latest.current = load;
  const start = useCallback(() => {
    loading.current?.abort();
    const controller = new AbortController();
    loading.current = controller;
    setState((before) => ({ ...before, isLoading: true }));
    latest.current(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ key, data, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const known = error instanceof ApiError ? error : bug(error);
        setState((before) => ({
          key,
          // What is gone, forgotten perhaps, is not shown any more.
          data: before.key === key && !GONE.has(known.status) ? before.data : null,
          error: known,
          isLoading: false,
        }));
      },
    );
  }, [key]);
  useEffect(() => {
    start();
    return () => loading.current?.abort();
  }, [start]);
  useEffect(() => {
    const undo = [onToken(start), on('resumed', start)];
    if (live !== undefined) undo.push(onProjected(start, live));
    return () => {
      for (const one of undo) one();
    };
  }, [start, live]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent || keepsOld ? state.data : null,
    error: isCurrent ? state.error : null,
    isLoading: state.isLoading || !isCurrent,
    reload: start,
  };
}

/** While the views are built, what is read again slows that down, ms. */
const BUILDING_MS = 3_000;

/** Calls `act` when views were built, at most this often, ms. Returns a function that unsubscribes. */
export function onProjected(act: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = on('projected', () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        act();
      },
      isBuilding() ? Math.max(ms, BUILDING_MS) : ms,
    );
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

function bug(error: unknown): ApiError {
  console.error(error);
  return new ApiError(0, 'INTERNAL', 'Something in the viewer went wrong.', 'Load the page again.');
}
