// Small files that are always complete: written to a temporary file, synced, renamed over the old one, and the folder
// synced, so that a power cut leaves the old text or the new one. A file that cannot be read is undefined, not an
// error: such files only point to something, and callers handle a missing pointer.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AnnalsError, isDiskFull } from '../../log/index.ts';
import { errorCode, makeFolder, syncFolder } from './disk-files.ts';

export interface FileRights {
  readonly mode: number;
  /** Null: the user of this process. */
  readonly owner: { readonly user: number; readonly group: number } | null;
}

const OWNER_ONLY: FileRights = { mode: 0o600, owner: null };

/**
 * Replaces a file with bytes or text (UTF-8), mode 0600 if nothing else is said, and makes its folder. Throws what the file
 * system throws; then the old file stays.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  rights: FileRights = OWNER_ONLY,
): Promise<void> {
  await makeFolder(dirname(path));
  await writeInFolder(path, content, rights);
}

/** The same for a file of a folder that exists: a home that was removed stays removed. */
export async function writeInFolder(
  path: string,
  content: string | Uint8Array,
  { mode, owner }: FileRights = OWNER_ONLY,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      if (mode !== OWNER_ONLY.mode) await file.chmod(mode);
      await keepOwner(file, owner);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The error of a file that could not be written and stays as it was. Any other error comes back as it is. */
export function notWritten(file: string, path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const system = errorCode(error);
  return new AnnalsError(
    isDiskFull(error) ? 'DISK_FULL' : 'HOME_UNWRITABLE',
    `${file} could not be written (${system}) and was not changed.`,
    { facts: { path, system }, cause: error },
  );
}

/** Only root can change an owner, and only root needs to. */
async function keepOwner(file: FileHandle, owner: FileRights['owner']): Promise<void> {
  if (owner === null || process.getuid?.() !== 0) return;
  await file.chown(owner.user, owner.group);
}

/**
 * The file's text, or undefined when it is missing, not a file, or not readable. Synchronous inside, see disk-files.ts.
 */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
