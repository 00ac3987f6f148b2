// Small files that are always complete: written to a temporary file, synced, renamed over the old one, and the folder
// synced, so that a power cut leaves the old text or the new one. A file that cannot be read is undefined, not an
// error: such files only point to something, and callers handle a missing pointer.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './disk-files.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Replaces a file with bytes or text (UTF-8), mode 0600. Throws what the file system throws; then the old file stays.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
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
