// The folder and version of this package: the first package.json above this file, in the sources and in dist/.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder))
      throw new Error(`No package.json above ${import.meta.dirname}: the package is incomplete.`);
    folder = dirname(folder);
  }
  return folder;
}

export function version(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return String(manifest.version);
}

/** The folder of the programs that scripts/build.mjs makes. */
export function builtFolder(): string {
  return join(packageRoot(), 'dist');
}

/** When they were built, Unix ms; null when they were not. */
export function builtAt(): number | null {
  return statSync(join(builtFolder(), 'worker.cjs'), { throwIfNoEntry: false })?.mtimeMs ?? null;
}
