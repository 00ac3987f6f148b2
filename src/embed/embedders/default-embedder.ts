// The built-in embedder: a table in models/ beside our package.json. It is opened at the first search or import of a
// process and kept. If the file is missing or is a different one, search uses words alone and says so.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openTableFile, STATIC_TABLE, type StaticEmbedder } from '../../../projections/index.ts';
import { openInPlace } from '../../platform/disk-files.ts';

let opened: StaticEmbedder | null | undefined;

/** null without a usable table; not tried again in this process. */
export function defaultEmbedder(): StaticEmbedder | null {
  if (opened === undefined) opened = openTable();
  return opened;
}

function openTable(): StaticEmbedder | null {
  const path = tablePath();
  try {
    return path === null ? null : openTableFile(openInPlace(path));
  } catch {
    // An unreadable table counts as missing: the search reports that it used words alone.
    return null;
  }
}

/** In the nearest folder above this file that has models/, both in the sources and in dist/. */
function tablePath(): string | null {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, 'models', STATIC_TABLE.file);
    if (existsSync(path)) return path;
    if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return null;
  }
}
