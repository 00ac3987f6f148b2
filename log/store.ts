// The LevelDB below the log: opens it and translates its errors into our error codes. After a failed write
// LevelDB's write-ahead file may end in half a record, and whatever is written behind that would be dropped at the
// next start; so nothing is written until the store has been reopened.
import type { AbstractChainedBatch, AbstractLevel } from 'abstract-level';
import { Level } from 'level';
import { AnnalsError, isDiskFull } from './errors.ts';

/** Any abstract-level store with buffer keys and buffer values. */
export type Store = AbstractLevel<string | Buffer | Uint8Array, Buffer, Buffer>;
export type StoreBatch = AbstractChainedBatch<Store, Buffer, Buffer>;

/** Options of every write. Measured: a synced batch of 100 costs no more than an unsynced one. */
export const SYNCED: Readonly<Record<string, unknown>> = { sync: true };

export interface LevelOptions {
  /** Bytes LevelDB buffers in memory and in its write-ahead file before it writes a table. Default 4 MiB. */
  readonly writeBufferBytes?: number;
  /** Fails when there is no store, instead of creating an empty one. */
  readonly mustExist?: boolean;
}

/** Uncompressed bytes of a table that are compressed together. Measured on real events: a fifth less on disk than with 4 KiB. */
const BLOCK_BYTES = 16 * 1024;

/** Creates the store object for a folder without opening it. */
export type MakeStore = (directory: string, options?: LevelOptions) => Store;

export function levelStore(directory: string, options: LevelOptions = {}): Store {
  return new Level<Buffer, Buffer>(directory, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    blockSize: BLOCK_BYTES,
    createIfMissing: options.mustExist !== true,
    ...(options.writeBufferBytes === undefined ? {} : { writeBufferSize: options.writeBufferBytes }),
  });
}

/**
 * LevelDB's message for a table that ends too early, and for a folder in place of a file: it reports both as I/O
 * errors.
 */
const UNREADABLE = /\d\.(?:ldb|sst): (?:Invalid argument|No such device)$|: (?:Is|Not) a directory$/m;

/**
 * To be called before the synced write that vouches for unsynced ones before it. When its buffer is full, LevelDB begins
 * another write-ahead file and closes the full one without a sync; this makes synced tables of all that was written. If that
 * fails, the next write does. A store in memory has neither.
 */
export async function settleStore(store: object): Promise<void> {
  if ('compactRange' in store)
    await (store as { compactRange(start: Buffer, end: Buffer): Promise<void> }).compactRange(...NO_KEYS);
}

/** A range without keys: then only the buffer becomes a table. */
const NO_KEYS = [Buffer.of(0), Buffer.of(1)] as const;

/** @throws AnnalsError HOME_LOCKED at once when another process has it open, LOG_DAMAGED, DISK_FULL, HOME_UNWRITABLE */
export async function openStore(store: Store): Promise<void> {
  try {
    await store.open();
  } catch (error) {
    throw storeError(error, 'The log could not be opened');
  }
}

/** Translates an error of the store. Codes: HOME_LOCKED, DISK_FULL, LOG_DAMAGED, HOME_UNWRITABLE, else INTERNAL. */
export function storeError(error: unknown, tried: string): AnnalsError {
  if (error instanceof AnnalsError) return error;
  const { codes, text } = causes(error);
  if (codes.has('LEVEL_LOCKED'))
    return new AnnalsError('HOME_LOCKED', `${tried}: another process has it open.`, {
      hint: 'Wait for the other command to end and try again.',
      cause: error,
    });
  if (isDiskFull(error))
    return new AnnalsError('DISK_FULL', `${tried}: the disk is full.`, {
      hint: 'Free some space and try again; acknowledged events are safe.',
      cause: error,
    });
  if (
    codes.has('LEVEL_CORRUPTION') ||
    /corruption|does not exist|no such file/i.test(text) ||
    UNREADABLE.test(text)
  )
    return new AnnalsError('LOG_DAMAGED', `${tried}: LevelDB reports that its files are damaged.`, {
      hint: 'Keep a copy of the log folder, then restore a backup or import the transcripts into a new home.',
      cause: error,
    });
  if (codes.has('LEVEL_IO_ERROR') || /^E[A-Z]+$/.test([...codes][0] ?? ''))
    return new AnnalsError('HOME_UNWRITABLE', `${tried}: the system refused to read or write its files.`, {
      hint: 'Check the permissions of the home and the state of the disk.',
      cause: error,
    });
  return new AnnalsError('INTERNAL', `${tried}.`, { cause: error });
}

/** The codes and messages of an error and its causes; abstract-level wraps LevelDB's errors. */
function causes(error: unknown): { codes: ReadonlySet<string>; text: string } {
  const codes = new Set<string>();
  let text = '';
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') codes.add(at.code);
    text += `${at.message}\n`;
  }
  return { codes, text };
}
