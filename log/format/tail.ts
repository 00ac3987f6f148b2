// The end of the log: the next event is chained to it.

import type { Store } from '../store.ts';
import { EVENT, eventKey, OWN_KEY, positionOf } from './keys.ts';
import { type BinaryHash, claimedChain, genesis, openValue, parseHeader } from './record.ts';

export interface Tail {
  /** 0 for an empty log. */
  readonly position: number;
  /** The last sequence number of this log's own origin. */
  readonly originSeq: number;
  readonly chain: BinaryHash;
}

/** The position and chain of the last event, or of the point before the first one. */
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

/** For a log that ends in an imported event: the batch that imported it also wrote our own sequence number. */
async function ownSeq(store: Store, position: number): Promise<number> {
  const record = await store.get(OWN_KEY);
  const own = record === undefined ? undefined : openValue(OWN_KEY, record);
  const seq = (own as { originSeq?: unknown } | undefined)?.originSeq;
  // Too high is safe; too low would use a number twice.
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
