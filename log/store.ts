// The LevelDB below the log: opening it, translating what it says into our error codes, and opening it again
// after a failed write. After a failed write LevelDB's own file may end in half a record, and what is written
// behind that would be dropped at the next start; so nothing is written before it has been opened anew.
import type { AbstractChainedBatch, AbstractLevel } from 'abstract-level';
import { Level } from 'level';
import { AnnalsError } from './errors.ts';

/** Any abstract-level store that was made with buffer keys and buffer values. */
export type Store = AbstractLevel<string | Buffer | Uint8Array, Buffer, Buffer>;
export type StoreBatch = AbstractChainedBatch<Store, Buffer, Buffer>;

/** Handed to every write. Measured: batches of 100 cost no more synced than not. */
export const SYNCED: Readonly<Record<string, unknown>> = { sync: true };

export interface LevelOptions {
  /** Bytes LevelDB gathers in memory and in its write-ahead file before it makes a table. Default 4 MiB. */
  readonly writeBufferBytes?: number;
  /** Fails where there is none, instead of making an empty one. */
  readonly mustExist?: boolean;
}

/** Uncompressed bytes of a table that are packed as one. Measured on real events: a fifth less on disk than with 4 KiB. */
const BLOCK_BYTES = 16 * 1024;

/** Makes the object for a store in a folder, without opening it. */
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
 * What LevelDB says of a table that ends before the bytes it asks for, and of a folder in the place of a file: it reports
 * both as a read that the system refused.
 */
const UNREADABLE = /\d\.(?:ldb|sst): (?:Invalid argument|No such device)$|: (?:Is|Not) a directory$/m;

/** @throws AnnalsError HOME_LOCKED at once when another process holds it, LOG_DAMAGED, DISK_FULL, HOME_UNWRITABLE */
export async function openStore(store: Store): Promise<void> {
  try {
    await store.open();
  } catch (error) {
    throw storeError(error, 'The log could not be opened');
  }
}

/** @throws AnnalsError DISK_FULL, LOG_DAMAGED, HOME_UNWRITABLE */
export function storeError(error: unknown, tried: string): AnnalsError {
  if (error instanceof AnnalsError) return error;
  const { codes, text } = causes(error);
  if (codes.has('LEVEL_LOCKED'))
    return new AnnalsError('HOME_LOCKED', `${tried}: another process holds it.`, {
      hint: 'Wait for the other command to end, or ask it instead.',
      cause: error,
    });
  if (codes.has('ENOSPC') || codes.has('EDQUOT') || /no space left|quota exceeded/i.test(text))
    return new AnnalsError('DISK_FULL', `${tried}: the disk is full.`, {
      hint: 'Make room and try again; what was acknowledged is safe.',
      cause: error,
    });
  if (
    codes.has('LEVEL_CORRUPTION') ||
    /corruption|does not exist|no such file/i.test(text) ||
    UNREADABLE.test(text)
  )
    return new AnnalsError('LOG_DAMAGED', `${tried}: LevelDB finds its files damaged.`, {
      hint: 'Keep a copy of the log folder, then restore a backup or import the transcripts into a new home.',
      cause: error,
    });
  if (codes.has('LEVEL_IO_ERROR') || /^E[A-Z]+$/.test([...codes][0] ?? ''))
    return new AnnalsError('HOME_UNWRITABLE', `${tried}: the system refused to read or write its files.`, {
      hint: 'Check the rights of the home and the state of the disk.',
      cause: error,
    });
  return new AnnalsError('INTERNAL', `${tried}.`, { cause: error });
}

/** The codes and messages of an error and of what caused it; abstract-level wraps what LevelDB says. */
function causes(error: unknown): { codes: ReadonlySet<string>; text: string } {
  const codes = new Set<string>();
  let text = '';
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') codes.add(at.code);
    text += `${at.message}\n`;
  }
  return { codes, text };
}
