// Data of a screen: loaded when what it depends on changes, and again after a lost connection.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { onToken } from './access.ts';
import { isBuilding } from './building.ts';
import { ApiError } from './client.ts';
import { on } from './live.ts';
import type { Captured } from './types.ts';

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
  /** With `live`: loads again as soon as such an event was recorded, which the views follow a second later. */
  readonly after?: (event: Captured) => boolean;
  /** Shows the old data until the new is there, also for other dependencies. */
  readonly keepsOld?: boolean;
}

/** @param key what the data depends on */
export function useData<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { live, after, keepsOld = false }: Options = {},
): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key, data: null, error: null, isLoading: true });
  const loading = useRef<AbortController | null>(null);
  const latest = useRef(load);
  latest.current = load;
  const hasChanged = useRef(false);
  const isAwaited = useRef(after);
  isAwaited.current = after;
  const followsEvents = after !== undefined;
  const start = useCallback(() => {
    loading.current?.abort();
    const controller = new AbortController();
    loading.current = controller;
    hasChanged.current = false;
    setState((before) => ({ ...before, isLoading: true }));
    const done = () => {
      loading.current = null;
      if (hasChanged.current) start();
    };
    latest.current(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return;
        setState({ key, data, error: null, isLoading: false });
        done();
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
        done();
      },
    );
  }, [key]);
  useEffect(() => {
    start();
    return () => {
      loading.current?.abort();
      loading.current = null;
    };
  }, [start]);
  useEffect(() => {
    // A slow answer is waited for: changes that come sooner than answers would show nothing at all.
    const update = () => {
      if (loading.current === null) start();
      else hasChanged.current = true;
    };
    const undo = [onToken(start), on('resumed', start)];
    if (live !== undefined)
      undo.push(
        followsEvents
          ? atMost(update, live, (act) => on('captured', (event) => isAwaited.current!(event) && act()))
          : onProjected(update, live),
      );
    return () => {
      for (const one of undo) one();
    };
  }, [start, live, followsEvents]);
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
  return atMost(act, ms, (changed) => on('projected', changed));
}

function atMost(act: () => void, ms: number, listen: (changed: () => void) => () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = listen(() => {
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
