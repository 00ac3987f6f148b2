// Checks the files in use in one LevelDB folder against the checksums stored in them. LevelDB itself only checks the
// records of its MANIFEST, not whether it lost its end; it silently drops damaged records of a write-ahead file, and does not check tables at opening. A table is
// never rewritten, so its end is checked once, and again if the file's fingerprint has changed: the folder's file
// `checked` lists the tables found intact. `verify` finds damage that leaves the fingerprint unchanged.
import { join } from 'node:path';
import {
  cutManifest,
  filesInUse,
  isTable,
  isTableEndSound,
  isTableSound,
  recordsOf,
  walName,
} from '../../log/index.ts';
import {
  fingerprint,
  list,
  readEndInPlace,
  readInPlace,
  tryReplace,
  wholeFiles,
} from '../platform/disk-files.ts';

/** Holds filter, index and footer of nearly every table of 2 MiB. */
const TABLE_END_BYTES = 64 * 1024;

/**
 * The name of a damaged file; null if none was found. Reads write-ahead files, and of tables not checked before only the
 * ends, where index and filter are: about a hundredth of the bytes. With `everyBlock` it reads all of each table. The
 * folder may be open in LevelDB, because files in use only grow. LevelDB itself reports missing files.
 */
export async function damagedFile(folder: string, everyBlock: boolean): Promise<string | null> {
  const current = readInPlace(join(folder, 'CURRENT'))?.toString('utf8').trim() ?? '';
  const manifest = /^MANIFEST-\d+$/.test(current) ? readInPlace(join(folder, current)) : null;
  if (manifest === null) return null;
  const used = filesInUse(manifest);
  if (used === null) return current;
  const logs: string[] = [];
  const before = everyBlock ? {} : readChecked(folder);
  const checked: Record<string, string> = {};
  const names = await list(folder);
  for (const name of names) {
    const number = Number.parseInt(name, 10);
    if (/^\d+\.log$/.test(name) && number >= used.logsFrom) logs.push(name);
    if (!isTable(name) || !used.tables.has(number)) continue;
    const path = join(folder, name);
    // Taken before the table is read, so that a change during the read is checked again next time.
    const print = fingerprint(path);
    if (print !== null && before[name] === print) checked[name] = print;
    else if (!(everyBlock ? isIntact(path) : isEndIntact(path))) return name;
    else if (print !== null) checked[name] = print;
  }
  if (!everyBlock && Object.entries(checked).some(([name, print]) => before[name] !== print))
    // If this cannot be written, the next opening checks again, which is only slower.
    tryReplace(join(folder, CHECKED), JSON.stringify(checked));
  const hasLog = used.logsFrom === 0 || names.includes(walName(used.logsFrom));
  return logWithHole(folder, logs) ?? (hasLog ? null : cutManifest(folder, wholeFiles));
}

/** JSON {table name: fingerprint} of tables whose ends were intact. */
const CHECKED = 'checked';

/** Returns nothing if the file is missing or invalid; the tables are then checked again. */
function readChecked(folder: string): Readonly<Record<string, unknown>> {
  try {
    const known: unknown = JSON.parse(readInPlace(join(folder, CHECKED))?.toString('utf8') ?? '{}');
    return typeof known === 'object' && known !== null ? { ...known } : {};
  } catch {
    return {};
  }
}

/** A table that is gone by now was merged into another, also while others were read. */
function isIntact(path: string): boolean {
  const table = readInPlace(path);
  return table === null || isTableSound(table);
}

function isEndIntact(path: string): boolean {
  for (let length = TABLE_END_BYTES; ; ) {
    const end = readEndInPlace(path, length);
    if (end === null) return true;
    const sound = isTableEndSound(end.bytes, end.size);
    if (typeof sound === 'boolean') return sound;
    length = sound.needed;
  }
}

/**
 * The first write-ahead file, in writing order, that is damaged before a good record; null if there is none. LevelDB
 * would read the records after the damage as if nothing were missing. Damage at the very end only sets the store back.
 */
function logWithHole(folder: string, names: readonly string[]): string | null {
  let broken: string | null = null;
  for (const name of names)
    for (const record of recordsOf(readInPlace(join(folder, name)) ?? Buffer.alloc(0)))
      if (record === 'wrong') broken ??= name;
      else if (broken !== null) return broken;
  return null;
}
