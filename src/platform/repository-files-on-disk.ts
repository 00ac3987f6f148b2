// The few small files that looking at a repository reads: regular files, bounded, and never a reason to fail. Whoever
// can commit to a repository can put a link or a device's name where one of them is expected.
import { realpathSync, statSync } from 'node:fs';
import { readRegularFile } from './regular-file.ts';

export const repositoryFiles = {
  /** What stands at a path, links followed; null when nothing does. */
  kind(path: string): 'file' | 'folder' | null {
    try {
      const found = statSync(path);
      return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null;
    } catch {
      return null;
    }
  },
  /** null for what is no regular file, has more than `bytesMax` bytes or cannot be read. Links are not followed. */
  readText(path: string, bytesMax: number): string | null {
    const read = readRegularFile(path, { bytesMax });
    return 'bytes' in read ? read.bytes.toString('utf8') : null;
  },
  /** The path with links resolved; the path itself when that fails. */
  realPath(path: string): string {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  },
};
