// Reads the few small files that describe a repository: regular files, bounded, never throwing. Anyone who can commit
// to a repository can put a link or a device's name in place of one of them.
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { readRegularFile } from './regular-file.ts';

/** Links in a circle must not take for ever. */
const STEPS_MAX = 256;

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
  /** The path with links resolved as far as it exists, also through a link to nowhere: its disk may be unmounted. */
  realPath(path: string): string {
    if (!isAbsolute(path)) return path;
    let at = path;
    let rest = '';
    for (let step = 0; step < STEPS_MAX; step++) {
      try {
        return join(realpathSync(at), rest);
      } catch {
        const target = targetOf(at);
        if (target === null) rest = join(basename(at), rest);
        at = target ?? dirname(at);
      }
    }
    return path;
  },
};

function targetOf(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}
