// The end of the log: what the next event is chained to.

import type { Store } from '../store.ts';
import { EVENT, eventKey, OWN_KEY, positionOf } from './keys.ts';
import { type BinaryHash, claimedChain, genesis, openValue, parseHeader } from './record.ts';

export interface Tail {
  /** 0 for an empty log. */
  readonly position: number;
  /** Last number this machine gave as an origin. */
  readonly originSeq: number;
  readonly chain: BinaryHash;
}

/** The last event, or the place before all events. */
export async function readTail(store: Store, logId: string, origin: string): Promise<Tail> {
  const position = await lastPosition(store);
  if (position === 0) return { position: 0, originSeq: 0, chain: genesis(logId) };
  const record = await store.get(eventKey(position));
  const chain = record === undefined ? null : claimedChain(record);
  const header = record === undefined || chain === null ? null : parseHeader(record);
  return {
    position,
    originSeq: header?.origin === origin ? header.originSeq : await ownSeq(store, position),
    chain: chain ?? genesis(logId),
  };
}

/** The log ends in an event of another one; the batch that brought it also wrote how far our own had come. */
async function ownSeq(store: Store, position: number): Promise<number> {
  const record = await store.get(OWN_KEY);
  const own = record === undefined ? undefined : openValue(OWN_KEY, record);
  const seq = (own as { originSeq?: unknown } | undefined)?.originSeq;
  // Too high is safe, too low would give a number twice.
  return typeof seq === 'number' ? seq : position;
}

async function lastPosition(store: Store): Promise<number> {
  const keys = store.keys({ gt: Buffer.from([EVENT]), lt: Buffer.from([EVENT + 1]), reverse: true });
  try {
    for await (const key of keys) {
      const position = positionOf(key);
      if (position !== null) return position;
    }
    return 0;
  } finally {
    await keys.close();
  }
}
