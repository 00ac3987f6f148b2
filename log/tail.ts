// The end of the log: what the next event is chained to.
import { EVENT, headerKey, parseEventKey } from './keys.ts';
import { claimedChain, genesis, parseHeader } from './record.ts';
import type { Store } from './store.ts';

export interface Tail {
  /** 0 for an empty log. */
  readonly position: number;
  /** Last number this machine gave as an origin. */
  readonly originSeq: number;
  readonly chain: Buffer;
}

/** The last event that has a header, or the place before all events. */
export async function readTail(store: Store, logId: string): Promise<Tail> {
  const position = await lastPosition(store);
  if (position === 0) return { position: 0, originSeq: 0, chain: genesis(logId) };
  const record = await store.get(headerKey(position));
  const chain = record === undefined ? null : claimedChain(record);
  const header = record === undefined || chain === null ? null : parseHeader(record);
  return {
    position,
    originSeq: header?.originSeq ?? position,
    chain: Buffer.from(chain ?? genesis(logId)),
  };
}

async function lastPosition(store: Store): Promise<number> {
  const keys = store.keys({ gt: Buffer.from([EVENT]), lt: Buffer.from([EVENT + 1]), reverse: true });
  try {
    for await (const key of keys) {
      const parsed = parseEventKey(key);
      if (parsed?.part === 'header') return parsed.position;
    }
    return 0;
  } finally {
    await keys.close();
  }
}
