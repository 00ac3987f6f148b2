// Paths by their text alone: whether one is in a folder (`modules2` is not in `modules`), and one that somebody gave.
import { resolve, sep } from 'node:path';
import { AnnalsError } from '../../log/index.ts';

/** Also for the folder itself. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * The absolute path. An empty one would be the current folder, but an unset variable of a shell was meant otherwise.
 * @param folder in which a relative path begins; default: this process's working folder
 * @throws AnnalsError USAGE: it is empty
 */
export function givenPath(path: string, folder = ''): string {
  if (path === '')
    throw new AnnalsError('USAGE', 'A path must not be empty.', {
      hint: 'Name a file or a folder; `.` is the current folder.',
    });
  return resolve(folder, path);
}
