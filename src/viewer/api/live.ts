// What happens, from the stream of the API, for the whole page. A lost connection is resumed from the last event, so
// none is missed and none comes twice.
import { currentToken, onToken } from './access.ts';
import { ApiError, request } from './client.ts';
import { messagesOf } from './server-sent-events.ts';
import type { Captured, WorkProgress } from './types.ts';

export type Connection = 'connecting' | 'live' | 'lost' | 'locked';

interface Listeners {
  readonly captured: Set<(event: Captured) => void>;
  /** Every view is built up to this position. */
  readonly projected: Set<(position: number) => void>;
  readonly progress: Set<(progress: WorkProgress) => void>;
  /** Recording fails, or works again. */
  readonly recording: Set<() => void>;
  readonly connection: Set<(state: Connection) => void>;
  /** The connection was lost and is back: what was read before may have changed. */
  readonly resumed: Set<() => void>;
}

const listeners: Listeners = {
  captured: new Set(),
  projected: new Set(),
  progress: new Set(),
  recording: new Set(),
  connection: new Set(),
  resumed: new Set(),
};
/** Earlier events that the page begins with: what came while its first screen was being read. */
const EARLIER = 10;
const AGAIN_MS = 1_000;

let state: Connection = 'connecting';
/** Unix ms; null: it is not lost. */
let lostSince: number | null = null;
let last: number | null = null;

export function connection(): Connection {
  return state;
}

export const lostAt = (): number | null => lostSince;

export function on<K extends keyof Listeners>(
  kind: K,
  listener: Listeners[K] extends Set<infer L> ? L : never,
): () => void {
  const all = listeners[kind] as Set<typeof listener>;
  all.add(listener);
  return () => all.delete(listener);
}

/** Runs for the life of the page. */
export async function followStream(): Promise<never> {
  for (;;) {
    try {
      await readStream();
      become('lost');
    } catch (error) {
      become(error instanceof ApiError && error.code === 'UNAUTHORIZED' ? 'locked' : 'lost');
    }
    if (state === 'locked' && currentToken() === null) await nextToken();
    else await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function readStream(): Promise<void> {
  const { body } = await (last === null
    ? request(`/api/stream?last=${EARLIER}`, {})
    : request('/api/stream', { headers: { 'last-event-id': String(last) } }));
  become('live');
  for await (const { event, data } of messagesOf(body!)) {
    if (event === 'captured') {
      const captured = JSON.parse(data) as Captured;
      if (last !== null && captured.position <= last) continue;
      last = captured.position;
      for (const listener of listeners.captured) listener(captured);
    } else if (event === 'projected') {
      const { position } = JSON.parse(data) as { position: number };
      for (const listener of listeners.projected) listener(position);
    } else if (event === 'progress') {
      const progress = JSON.parse(data) as WorkProgress;
      for (const listener of listeners.progress) listener(progress);
    } else if (event === 'recording') for (const listener of listeners.recording) listener();
  }
}

function become(next: Connection): void {
  if (state === next) return;
  const isResumed = next === 'live' && state !== 'connecting';
  state = next;
  lostSince = next === 'lost' ? Date.now() : null;
  for (const listener of listeners.connection) listener(next);
  if (isResumed) for (const listener of listeners.resumed) listener();
}

function nextToken(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onToken(() => {
      stop();
      resolve();
    });
  });
}
