// The spool on disk: spool/new (being written, or waiting), spool/bad (unusable, redacted). Only plain files
// of the user are touched: links, folders and other users' files are counted and left alone. Every call returns what it
// found as a value, because a spool must never stop a command.
import { lstatSync, readdirSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../platform/atomic-file.ts';
import { errorCode } from '../../platform/disk-files.ts';
import { readHeadInPlace } from '../../platform/regular-file.ts';
import { END_MARK } from './end-mark.ts';

/** At most this much of a file is read: 8 MiB. Real payloads reach 1 MB; larger ones hold pictures. */
export const PAYLOAD_BYTES_MAX = 8 * 1024 * 1024;

export interface SpoolFolders {
  readonly new: string;
  readonly bad: string;
}

export interface SpoolFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Nanoseconds since 1970. */
  readonly modifiedNs: bigint;
}

export interface SpoolListing {
  readonly files: readonly SpoolFile[];
  /** Links, folders, other users' files. They are neither read nor removed. */
  readonly foreign: number;
  /** Why the folder could not be listed. Null when it was listed, or does not exist. */
  readonly problem: string | null;
}

/** The drain's file operations, injected so that tests can make them fail. */
export interface SpoolFiles {
  list(folder: string): Promise<SpoolListing>;
  /** Returns only the beginning of a larger file. */
  read(path: string): Promise<Buffer>;
  /** Writes the whole file and syncs it, or writes nothing. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export function spoolFolders(home: string): SpoolFolders {
  const spool = join(home, 'spool');
  return { new: join(spool, 'new'), bad: join(spool, 'bad') };
}

/** Order of the drain: modification time, then name. */
export function byModificationTime(one: SpoolFile, other: SpoolFile): number {
  if (one.modifiedNs !== other.modifiedNs) return one.modifiedNs < other.modifiedNs ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}

/** Lists a folder of a spool. Neither it nor the spool may be a link or another user's. */
async function listSpool(folder: string): Promise<SpoolListing> {
  const nothing = { files: [], foreign: 0 };
  try {
    for (const path of [join(folder, '..'), folder]) {
      const found = lstatSync(path);
      if (!found.isDirectory() || !isOurs(found.uid))
        return { ...nothing, problem: `${path} is a link, not a folder, or another user's` };
    }
    const found = readdirSync(folder)
      .sort()
      .map((name) => look(folder, name));
    const files = found.filter((one) => one !== null && one !== 'foreign').sort(byModificationTime);
    return { files, foreign: found.filter((one) => one === 'foreign').length, problem: null };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { ...nothing, problem: null };
    return { ...nothing, problem: `${folder} cannot be read (${errorCode(error)})` };
  }
}

function look(folder: string, name: string): SpoolFile | 'foreign' | null {
  const path = join(folder, name);
  try {
    const found = lstatSync(path, { bigint: true });
    if (!found.isFile() || !isOurs(Number(found.uid))) return 'foreign';
    return { name, path, bytes: Number(found.size), modifiedNs: found.mtimeNs };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    return 'foreign';
  }
}

export const spoolFiles: SpoolFiles = {
  list: listSpool,
  read: async (path) => readHeadInPlace(path, PAYLOAD_BYTES_MAX + END_MARK.length),
  write: writeAtomically,
  remove: (path) => unlink(path),
};

const GROUP = 64;

/** Runs enough at once to keep the disk busy, but few enough for the limit of open files. Results in order. */
export async function inGroups<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += GROUP)
    results.push(...(await Promise.all(items.slice(at, at + GROUP).map(act))));
  return results;
}

function isOurs(owner: number): boolean {
  const user = process.getuid?.();
  return user === undefined || user === owner;
}
