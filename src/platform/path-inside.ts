// Whether a path is in a folder, by its text alone: `modules2` is not in `modules`.
import { sep } from 'node:path';

/** Also for the folder itself. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
