// Reading what others wrote: in a cloned repository, in a folder that an agent names, on a stick. Such a path may be a
// link to a device that never ends, a FIFO that nobody writes to, or a file that grows while it is read. Only regular
// files are read, and never more than the caller's limit, whatever `stat` says of their size.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

export type RegularFile =
  | { readonly bytes: Buffer }
  /** `code` is the system's where it has one; `why` completes the sentence "it …". */
  | { readonly code: string; readonly why: string };

export interface RegularFileOptions {
  readonly bytesMax: number;
  /** Whether a link is followed to the file that it names; that file must be regular too. */
  readonly followLinks?: boolean;
}

const CHUNK_BYTES = 64 * 1024;
/** Not blocking: the open of a FIFO would wait for a writer, for ever. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The whole file. Never throws. */
export function readRegularFile(
  path: string,
  { bytesMax, followLinks = false }: RegularFileOptions,
): RegularFile {
  try {
    const bytes = readHeadInPlace(followLinks ? realpathSync(path) : path, bytesMax + 1);
    if (bytes.length > bytesMax) return { code: 'EFBIG', why: `has more than ${bytesMax} bytes` };
    return { bytes };
  } catch (error) {
    return refusalOf(error);
  }
}

/** At most the first `bytesMax` bytes. @throws NotRegular, and what the file system says */
export function readHeadInPlace(path: string, bytesMax: number): Buffer {
  // Before it is opened: opening alone makes some devices do something.
  const found = regularAt(path);
  const file = openSync(path, FLAGS);
  try {
    if (!isSame(found, fstatSync(file, { bigint: true }))) throw new NotRegular();
    return readAtMost(file, bytesMax, Number(found.size));
  } finally {
    closeSync(file);
  }
}

/** The file in chunks of 256 KiB. @throws NotRegular, and what the file system says */
export async function* readRegularChunks(path: string): AsyncGenerator<Buffer> {
  const file = await openRegularFile(path);
  try {
    yield* file.createReadStream({ highWaterMark: 256 * 1024, autoClose: false });
  } finally {
    await file.close();
  }
}

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Opens a regular file for reading; links are not followed. @throws NotRegular, and what the file system says */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const found = regularAt(path);
  const file = await open(path, FLAGS);
  if (isSame(found, await file.stat({ bigint: true }))) return file;
  await file.close();
  throw new NotRegular();
}

/** A link, a folder, a FIFO, a socket, a device. */
export class NotRegular extends Error {
  readonly code = 'EINVAL';
  readonly syscall = 'open';

  constructor() {
    super('It is no regular file.');
  }
}

function regularAt(path: string): BigIntStats {
  const found = lstatSync(path, { bigint: true });
  if (!found.isFile()) throw new NotRegular();
  return found;
}

/** Between the look and the open another file may have been put there. */
function isSame(looked: BigIntStats, opened: BigIntStats): boolean {
  return opened.isFile() && opened.dev === looked.dev && opened.ino === looked.ino;
}

function readAtMost(file: number, bytesMax: number, expected: number): Buffer {
  const parts: Buffer[] = [];
  let bytes = 0;
  while (bytes < bytesMax) {
    const part = Buffer.allocUnsafe(Math.min(bytesMax - bytes, Math.max(CHUNK_BYTES, expected + 1 - bytes)));
    const read = readSync(file, part, 0, part.length, null);
    if (read === 0) break;
    parts.push(part.subarray(0, read));
    bytes += read;
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts, bytes);
}

function refusalOf(error: unknown): RegularFile {
  if (error instanceof NotRegular) return { code: error.code, why: 'is no regular file' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return { code, why: `cannot be read (${code})` };
}
