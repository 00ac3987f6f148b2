// Reads the few small files that describe a repository: regular files, bounded, never throwing. Anyone who can commit
// to a repository can put a link or a device's name in place of one of them.
import { realpathSync, statSync } from 'node:fs';
import { readRegularFile } from './regular-file.ts';

export const repositoryFiles = {
  /** The kind of a path, links followed. Null when it does not exist. */
  kind(path: string): 'file' | 'folder' | null {
    try {
      const found = statSync(path);
      return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null;
    } catch {
      return null;
    }
  },
  /**
   * Null for a path that is not a regular file, has more than `bytesMax` bytes or cannot be read. Links are not
   * followed.
   */
  readText(path: string, bytesMax: number): string | null {
    const read = readRegularFile(path, { bytesMax });
    return 'bytes' in read ? read.bytes.toString('utf8') : null;
  },
  /** The path with links resolved, or the path itself when that fails. */
  realPath(path: string): string {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  },
};
