// One store as the disk keeps it, beyond the life of a process. It has LevelDB's semantics: a batch is on disk
// completely or not at all; a synced batch syncs everything written before it; opening makes everything durable; writes
// after a failed write are accepted and lost when the store is reopened.
import type { AbstractLevel } from 'abstract-level';
import { positionOf } from '../../log/format/keys.ts';
import type { Chance } from '../helpers/chance.ts';

/** A store of texts or of bytes; the content is up to the product. */
export type AnyStore = AbstractLevel<string | Buffer | Uint8Array, unknown, unknown>;
export type Encoding = 'utf8' | 'buffer';

export interface Backing {
  /** The store for reads and writes now; for a folder another object after each close. */
  readonly store: AnyStore;
  open(): Promise<void>;
  close(): Promise<void>;
  /** A batch reached the disk's cache, or the disk. */
  landed(synced: boolean): void;
  /** A write failed. */
  failed(): void;
  /** The process that had it open has died. */
  killed(): Promise<void>;
  /** A power cut: back to the last synced state or any later one. */
  losePower(luck: Chance): Promise<void>;
  /** Back to an older state although a newer one was synced. Returns the log's last position there; null when there is no older state. */
  loseTail(luck: Chance): Promise<number | null>;
  /** Values that the files may still contain, including overwritten and removed ones. Empty when that is not simulated. */
  residue(): Generator<Buffer | string>;
  end(): Promise<void>;
}

/** Of a log's store. */
export async function lastPosition(store: AnyStore): Promise<number> {
  const keys = (await store.keys().all()) as readonly Buffer[];
  return Math.max(0, ...keys.map((key) => positionOf(key) ?? 0));
}
