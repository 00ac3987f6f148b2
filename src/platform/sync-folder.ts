// Renames and removals are only on disk when the folder they happened in is.
import { type FileHandle, open } from 'node:fs/promises';

/** Makes a rename in this folder last. Windows cannot sync a folder and needs no such thing. */
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
