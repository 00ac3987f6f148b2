// Renames and removals are on disk only after their folder is synced.
import { type FileHandle, open } from 'node:fs/promises';

/** Makes a rename in this folder durable. Windows cannot sync a folder and does not need it. */
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
