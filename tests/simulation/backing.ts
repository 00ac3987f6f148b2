// One store as the disk holds it; it outlives processes. LevelDB's semantics: a batch lands whole or not at all;
// what was written before a synced batch is synced with it; opening makes everything durable; what is written
// behind a failed write is accepted and lost when the store is opened again.
import type { AbstractLevel } from 'abstract-level';
import { positionOf } from '../../log/format/keys.ts';
import type { Chance } from '../helpers/chance.ts';

/** A store of texts or of bytes: what is in it is the product's matter. */
export type AnyStore = AbstractLevel<string | Buffer | Uint8Array, unknown, unknown>;
export type Encoding = 'utf8' | 'buffer';

export interface Backing {
  /** What is read and written now; of a folder another object after it was closed. */
  readonly store: AnyStore;
  open(): Promise<void>;
  close(): Promise<void>;
  /** A batch reached the disk's cache, or the disk. */
  landed(synced: boolean): void;
  /** A write failed. */
  failed(): void;
  /** The process that had it open is gone. */
  killed(): Promise<void>;
  /** The power went: back to the last synced state or any between. */
  losePower(luck: Chance): Promise<void>;
  /** Back to an older state although a newer one was synced. Returns the log's last position there; null when there is none older. */
  loseTail(luck: Chance): Promise<number | null>;
  /** Values that the files may still hold, also those that were overwritten or removed. Nothing where that is not simulated. */
  residue(): Generator<Buffer | string>;
  end(): Promise<void>;
}

/** Of a log's store. */
export async function lastPosition(store: AnyStore): Promise<number> {
  const keys = (await store.keys().all()) as readonly Buffer[];
  return Math.max(0, ...keys.map((key) => positionOf(key) ?? 0));
}
