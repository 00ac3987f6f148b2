// Verifying and rebuilding: started here, followed over the stream. It goes on when another screen is opened.
import { useEffect, useState } from 'preact/hooks';
import { ApiError, send } from '../api/client.ts';
import { on } from '../api/live.ts';
import type { LongWork, Verification } from '../api/types.ts';

export type WorkState =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly work: LongWork; readonly done: number; readonly total: number }
  | { readonly state: 'verified'; readonly found: Verification }
  | { readonly state: 'rebuilt'; readonly views: readonly { readonly name: string }[] }
  | { readonly state: 'failed'; readonly error: ApiError };

let current: WorkState = { state: 'idle' };
const listeners = new Set<(state: WorkState) => void>();

export function useLongWork(): WorkState {
  const [state, setState] = useState(current);
  useEffect(() => {
    setState(current);
    listeners.add(setState);
    return () => {
      listeners.delete(setState);
    };
  }, []);
  return state;
}

export function verify(rebuilt: boolean): Promise<void> {
  return run('verify', async () => ({
    state: 'verified',
    found: await send<Verification>('POST', '/api/verify', { rebuilt }),
  }));
}

export function rebuild(): Promise<void> {
  return run('rebuild', async () => ({
    state: 'rebuilt',
    ...(await send<{ views: readonly { name: string }[] }>('POST', '/api/rebuild', {})),
  }));
}

async function run(work: LongWork, act: () => Promise<WorkState>): Promise<void> {
  become({ state: 'running', work, done: 0, total: 0 });
  const stop = on('progress', (progress) => {
    if (progress.work === work) become({ state: 'running', ...progress, work });
  });
  try {
    become(await act());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    become({ state: 'failed', error });
  } finally {
    stop();
  }
}

function become(next: WorkState): void {
  current = next;
  for (const listener of listeners) listener(next);
}
