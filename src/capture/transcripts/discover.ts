// Finds transcript files under what was handed in. A session's main file comes before its sub-agents' files,
// because it decides which of them are private. Links are not followed below a folder; what cannot be read is
// noted and the rest goes on.
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NotRegular } from '../../platform/regular-file.ts';

export interface FoundFile {
  /** Real path. */
  readonly path: string;
  readonly bytes: number;
}

export interface Unreadable {
  readonly path: string;
  readonly reason: string;
}

export interface Discovery {
  readonly files: readonly FoundFile[];
  readonly unreadable: readonly Unreadable[];
}

/** All *.jsonl under these folders, at any depth; a file named outright is taken whatever its name is. */
export async function discover(paths: readonly string[]): Promise<Discovery> {
  const files = new Map<string, FoundFile>();
  const unreadable: Unreadable[] = [];
  const note = (path: string, error: unknown) => unreadable.push({ path, reason: reasonOf(error) });
  for (const path of paths) {
    try {
      const real = await realpath(path);
      const found = await stat(real);
      if (found.isDirectory()) await walk(real, files, note);
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
  note: (path: string, error: unknown) => void,
): Promise<void> {
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
      if (found.isDirectory()) await walk(path, files, note);
      else if (found.isFile() && name.endsWith('.jsonl')) files.set(path, { path, bytes: found.size });
    } catch (error) {
      note(path, error);
    }
  }
}

/** One plain sentence for a failed read; the system's own code stands in it. */
export function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const code = (error as { code?: string } | null)?.code;
  if (code === 'ENOENT') return 'there is nothing here (ENOENT)';
  if (error instanceof NotRegular) return 'is no regular file';
  if (code === 'EACCES' || code === 'EPERM') return `no right to read it (${code})`;
  return code === undefined ? 'could not be read' : `could not be read (${code})`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
