// The few small files that looking at a repository reads: bounded, and never a reason to fail.
import { readFileSync, realpathSync, statSync } from 'node:fs';

export const placeFiles = {
  /** What stands at a path, links followed; null when nothing does. */
  kind(path: string): 'file' | 'folder' | null {
    try {
      const found = statSync(path);
      return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null;
    } catch {
      return null;
    }
  },
  /** null for what is larger than `bytesMax` or cannot be read. */
  readText(path: string, bytesMax: number): string | null {
    try {
      return statSync(path).size > bytesMax ? null : readFileSync(path, 'utf8');
    } catch {
      return null;
    }
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
