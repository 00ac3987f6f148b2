// Finds transcript files under the given paths. A session's main file comes before its sub-agents' files, because it
// decides which of them are private. Links below a folder are not followed. What cannot be read is noted, and the
// search continues.
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NotRegular } from '../../platform/regular-file.ts';

export interface FoundFile {
  /** Real path. */
  readonly path: string;
  readonly bytes: number;
}

/** The reason of a named file without a byte. */
export const EMPTY = 'is empty';

export interface Unreadable {
  readonly path: string;
  readonly reason: string;
  /** The state of the machine is the cause, not the file: it may be read later. */
  readonly temporary?: true;
}

export interface Discovery {
  readonly files: readonly FoundFile[];
  readonly unreadable: readonly Unreadable[];
}

/** Why a file that could be read cannot be used, in words that complete "it …". */
export class Unusable extends Error {
  /** As for errors of the file system. */
  readonly syscall = 'decode';
}

/** All transcripts below these folders, at any depth. A file that is named directly may have any name, and must not be empty. */
export async function discover(
  paths: readonly string[],
  isTranscript: (path: string) => boolean | Promise<boolean>,
): Promise<Discovery> {
  const files = new Map<string, FoundFile>();
  const unreadable: Unreadable[] = [];
  const note = (path: string, error: unknown) => unreadable.push(unreadableAt(path, error));
  for (const path of paths) {
    try {
      const real = await realpath(path);
      const found = await stat(real);
      if (found.isDirectory()) await walk(real, files, { note, isTranscript });
      else if (found.isFile() && found.size === 0) note(path, EMPTY);
      else if (found.isFile()) files.set(real, { path: real, bytes: found.size });
      else note(path, 'is neither a file nor a folder');
    } catch (error) {
      note(path, error);
    }
  }
  const order = (file: FoundFile) => file.path.replace(/\.jsonl$/, '');
  return { files: [...files.values()].sort((a, b) => compare(order(a), order(b))), unreadable };
}

async function walk(
  folder: string,
  files: Map<string, FoundFile>,
  how: {
    readonly note: (path: string, error: unknown) => void;
    readonly isTranscript: (path: string) => boolean | Promise<boolean>;
  },
): Promise<void> {
  const { note, isTranscript } = how;
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    note(folder, error);
    return;
  }
  for (const name of names.sort(compare)) {
    const path = join(folder, name);
    try {
      const found = await lstat(path);
      if (found.isDirectory()) await walk(path, files, how);
      else if (found.isFile() && (await isTranscript(path))) files.set(path, { path, bytes: found.size });
    } catch (error) {
      note(path, error);
    }
  }
}

/** Too many open files, no memory, a device that does not answer now. */
const TEMPORARY = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EIO', 'ETIMEDOUT']);

export function unreadableAt(path: string, error: unknown): Unreadable {
  const code = (error as { code?: string } | null)?.code ?? '';
  return { path, reason: reasonOf(error), ...(TEMPORARY.has(code) ? { temporary: true } : {}) };
}

/** One plain phrase for a failed read, with the system's code. */
export function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const code = (error as { code?: string } | null)?.code;
  if (code === 'ENOENT') return 'does not exist (ENOENT)';
  if (error instanceof Unusable) return error.message;
  if (error instanceof NotRegular) return 'is not a regular file';
  if (code === 'EACCES' || code === 'EPERM') return `permission denied (${code})`;
  return code === undefined ? 'could not be read' : `could not be read (${code})`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
