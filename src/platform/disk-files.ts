// Folders and files: lists, sizes, bounded reads. A missing file is empty or null; every other failure is thrown as the
// file system reports it. Read-only calls are synchronous: through the thread pool, a short command waits four times as
// long for what the system has in memory, and longer on a busy machine.
import {
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface FileStat {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  readonly inode: number;
  /** Nanoseconds since 1970: spool files of the same millisecond keep their order. */
  readonly modifiedNs: bigint;
}

/** Names in a folder, sorted. Empty when the folder does not exist. */
export async function list(path: string): Promise<readonly string[]> {
  return entries(path)
    .map(({ name }) => name)
    .sort();
}

/** Bytes of all files below a folder; 0 when it does not exist. Files that vanish meanwhile do not count. */
export async function folderBytes(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of entries(path)) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) bytes += await folderBytes(inner);
    else if (entry.isFile()) bytes += (await stat(inner))?.size ?? 0;
  }
  return bytes;
}

/** Null when the path does not exist. A link is reported as a link, not followed. */
export async function stat(path: string): Promise<FileStat | null> {
  try {
    const found = lstatSync(path, { bigint: true });
    return {
      kind: found.isFile()
        ? 'file'
        : found.isDirectory()
          ? 'folder'
          : found.isSymbolicLink()
            ? 'link'
            : 'other',
      size: Number(found.size),
      inode: Number(found.ino),
      modifiedNs: found.mtimeNs,
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** A whole file, or null when it does not exist. */
export function readInPlace(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Opens a file for synchronous reads and keeps it open as long as this process lives. @throws what the file system
 * throws
 */
export function openInPlace(path: string): {
  readonly size: number;
  read(from: number, length: number): Uint8Array<ArrayBuffer>;
} {
  const file = openSync(path, 'r');
  return {
    size: fstatSync(file).size,
    read(from, length) {
      const bytes = new Uint8Array(length);
      for (let filled = 0; filled < length; ) {
        const more = readSync(file, bytes, filled, length - filled, from + filled);
        if (more === 0) throw new Error(`${path} ends before byte ${from + length}.`);
        filled += more;
      }
      return bytes;
    },
  };
}

/** The wanted files of a folder with their content, one after the other. Files that vanish meanwhile are skipped. */
export async function* wholeFiles(
  path: string,
  wanted: (name: string) => boolean,
): AsyncIterable<{ readonly name: string; readonly content: Buffer }> {
  for (const name of (await list(path)).filter(wanted)) {
    const content = await readFile(join(path, name)).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (content !== null) yield { name, content };
  }
}

/** At most the last `length` bytes of a file, and the file's size. Null when it does not exist. */
export function readEndInPlace(path: string, length: number): { bytes: Buffer; size: number } | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.allocUnsafe(Math.min(length, size));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return { bytes: bytes.subarray(0, read), size };
  } finally {
    closeSync(file);
  }
}

/** Makes a folder and its parents. New ones get mode 0700. */
export async function makeFolder(path: string): Promise<void> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Removes a folder if nothing is in it and nobody uses it. */
export function tryRemoveEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It stays.
  }
}

/** Removes a file or a whole folder. Does nothing when it does not exist. */
export async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path)) !== null;
}

/** Device and inode of a file or folder, which stay the same when it is moved. Null when it does not exist. */
export async function identity(path: string): Promise<string | null> {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Changes when a file is written or replaced, as far as the system reports it. Null when it does not exist. */
export function fingerprint(path: string): string | null {
  try {
    const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Replaces a small file that may be lost or torn, mode 0600. False when it could not be written. */
export function tryReplace(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** Adds to the end of a file, mode 0600 when it is new. It is on disk when this returns. */
export async function appendToFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  const isNew = !(await exists(path));
  const file = await open(path, 'a', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  if (isNew) await syncFolder(dirname(path));
}

/** Renames a file or folder. It is on disk when this returns. */
export async function move(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

function entries(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The system's code of an error, such as ENOENT; `unknown` when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
}

/** Renames and removals are on disk only after their folder is synced. Windows cannot sync a folder and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle;
  try {
    folder = await open(path, 'r');
  } catch (error) {
    if (process.platform === 'win32') return;
    throw error;
  }
  try {
    await folder.sync();
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  } finally {
    await folder.close();
  }
}
