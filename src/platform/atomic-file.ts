// Small files that are always whole: written aside, synced, renamed over the old one, and the folder synced,
// so that after a power cut the old text is there or the new one. What cannot be read is undefined, not an error:
// such files say where something is, and whoever asks knows what to do when nothing says so.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './disk-files.ts';
import { syncFolder } from './sync-folder.ts';

/** Replaces a file with bytes or text (UTF-8), mode 0600. Throws what the file system throws; the old file then stays. */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const aside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** The file's text, or undefined when it is missing, no file, or not readable. In place, as disk-files.ts says. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
