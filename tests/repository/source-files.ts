// The files of this repository that git tracks and that exist on disk.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Paths relative to the root. Empty in a package without git. */
export function trackedFiles(): string[] {
  try {
    const names = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    return names.filter((name) => existsSync(join(root, name)) && statSync(join(root, name)).isFile());
  } catch {
    return [];
  }
}
