// The event of an act.
import type { NewEvent } from '../../log/index.ts';
import { oneAtATime } from '../home/one-at-a-time.ts';

/** An act depends on what the acts before it did. */
export const actingAlone = oneAtATime();

export interface ActWorld {
  randomBytes(size: number): Uint8Array;
}

export type ActType =
  | 'memory.pinned'
  | 'memory.edited'
  | 'memory.superseded'
  | 'memory.withdrawn'
  | 'memory.proposed';

export function actEvent<T extends ActType>(
  type: T,
  session: string | null,
  body: NewEvent<T>['body'],
  at: number,
  dedupeKey: string,
): NewEvent<T> {
  return { type, agent: 'annals', session, dedupeKey, channel: 'api', occurredAt: at, body };
}

export function dedupeKeyOf({ randomBytes }: ActWorld): string {
  return Buffer.from(randomBytes(16)).toString('hex');
}
