// Reads files that others wrote: in a cloned repository, in a folder that an agent names, on a USB stick. Such a path
// may be a link to an endless device, a FIFO without a writer, or a file that grows while it is read. Only regular
// files are read, and never more than the caller's limit, whatever size `stat` reports.
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
import { errorCode } from './disk-files.ts';

export type RegularFile =
  | { readonly bytes: Buffer }
  /** `code` is the system's if there is one; `why` completes the sentence "it …". */
  | { readonly code: string; readonly why: string };

export interface RegularFileOptions {
  readonly bytesMax: number;
  /** Whether a link is followed. The file that it names must be regular too. */
  readonly followLinks?: boolean;
}

const CHUNK_BYTES = 64 * 1024;
/** Non-blocking, because opening a FIFO would wait for a writer for ever. Windows has neither flag. */
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

/** At most the first `bytesMax` bytes. @throws NotRegular, and what the file system throws */
export function readHeadInPlace(path: string, bytesMax: number): Buffer {
  // Check before opening: some devices act when they are opened.
  const found = regularAt(path);
  const file = openSync(path, FLAGS);
  try {
    if (!isSame(found, fstatSync(file, { bigint: true }))) throw new NotRegular();
    return readAtMost(file, bytesMax, Number(found.size));
  } finally {
    closeSync(file);
  }
}

/** The file in chunks of 256 KiB. @throws NotRegular, and what the file system throws */
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

/** Opens a regular file for reading. Links are not followed. @throws NotRegular, and what the file system throws */
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
    super('It is not a regular file.');
  }
}

function regularAt(path: string): BigIntStats {
  const found = lstatSync(path, { bigint: true });
  if (!found.isFile()) throw new NotRegular();
  return found;
}

/** Another file may have been put there between the check and the open. */
function isSame(checked: BigIntStats, opened: BigIntStats): boolean {
  // On Windows some versions of Node report a volume for an open file only (libuv 1.49 and 1.50).
  const isSameDevice = process.platform === 'win32' || opened.dev === checked.dev;
  return opened.isFile() && isSameDevice && opened.ino === checked.ino;
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
  if (error instanceof NotRegular) return { code: error.code, why: 'is not a regular file' };
  const code = errorCode(error);
  return { code, why: code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})` };
}
