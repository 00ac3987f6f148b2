// Finds packages that a person installed for an embedder. Annals never installs them, and never loads them from the
// current folder: a repository that contains a `node_modules` must not be able to run code here.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface FoundPackage {
  readonly name: string;
  readonly folder: string;
  /** A URL for `import()`. */
  readonly entry: string;
}

/**
 * Folders whose `node_modules` are searched: `packages` in the home, those above Annals itself (installed beside it), and
 * where this Node keeps global packages.
 */
export function packageFolders(home: string): readonly string[] {
  const folders = [join(home, 'packages')];
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) break;
  }
  const bin = dirname(process.execPath);
  // npm keeps global packages in <prefix>/lib/node_modules, and on Windows beside node.exe.
  return [...folders, join(dirname(bin), 'lib'), bin];
}

/** The first installed one with a valid entry file; null without one. */
export function findPackage(name: string, folders: readonly string[]): FoundPackage | null {
  for (const base of folders) {
    const folder = join(base, 'node_modules', ...name.split('/'));
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const entry = entryOf(readFileSync(file, 'utf8'));
    if (entry !== null && existsSync(join(folder, entry)))
      return { name, folder, entry: pathToFileURL(join(folder, entry)).href };
  }
  return null;
}

/** The entry file of the package for an import by its name. */
function entryOf(packageJson: string): string | null {
  try {
    const { exports, main } = JSON.parse(packageJson) as { exports?: unknown; main?: unknown };
    const whole = exports !== null && typeof exports === 'object' && '.' in exports ? exports['.'] : exports;
    return chosen(whole) ?? (typeof main === 'string' ? main : null);
  } catch {
    return null;
  }
}

/** Resolves the conditions of an `import` in Node, in the package's own order. */
function chosen(target: unknown): string | null {
  if (typeof target === 'string') return target;
  if (target === null || typeof target !== 'object') return null;
  for (const [condition, next] of Object.entries(target)) {
    if (condition !== 'node' && condition !== 'import' && condition !== 'default') continue;
    const found = chosen(next);
    if (found !== null) return found;
  }
  return null;
}
