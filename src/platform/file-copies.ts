// Copies of files that another program may be writing. The other program's folder is never written to.
import { constants, copyFileSync, type Stats } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { wait } from './clock.ts';
import { errorCode } from './disk-files.ts';
import { NotRegular } from './regular-file.ts';

const TRIES = 5;
const PAUSE_MS = 200;

/** The files changed during every try to copy them. */
export class FilesChanging extends Error {}

export interface FileCopy {
  readonly path: string;
  /** Removes the copy. */
  remove(): Promise<void>;
}

/**
 * Copies a file, and those of `others` that exist, to a new folder that only this user can read. The files are copied as
 * they are at one moment.
 * @throws FilesChanging, NotRegular, and what the file system throws
 */
export async function copyFiles(path: string, others: readonly string[]): Promise<FileCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'annals-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await copyAll([path, ...others], folder);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path: join(folder, basename(path)), remove };
}

async function copyAll(paths: readonly string[], folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await states(paths);
    for (const [index, path] of paths.entries())
      if (before[index] !== null)
        copyFileSync(path, join(folder, basename(path)), constants.COPYFILE_FICLONE);
    const after = await states(paths);
    if (before.every((state, index) => isSame(state, after[index] ?? null))) return;
    if (attempt === TRIES) throw new FilesChanging();
    await wait(PAUSE_MS);
    for (const path of paths) await rm(join(folder, basename(path)), { force: true });
  }
}

/** Null for a file that does not exist; the first must. */
function states(paths: readonly string[]): Promise<(Stats | null)[]> {
  return Promise.all(
    paths.map(async (path, index) => {
      try {
        const found = await stat(path);
        if (!found.isFile()) throw new NotRegular();
        return found;
      } catch (error) {
        if (index > 0 && errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    }),
  );
}

function isSame(one: Stats | null, other: Stats | null): boolean {
  return one?.size === other?.size && one?.mtimeMs === other?.mtimeMs && one?.ino === other?.ino;
}
