// Holds the files of one LevelDB folder that are in use against the checksums that stand in them. LevelDB itself checks
// those of its MANIFEST, drops what is wrong in a write-ahead file without a word, and checks no table. A table is never
// written again, so its end is checked once, and again when the system says that the file was changed: the folder's file
// `checked` names what was found whole. What decays on the disk and says nothing is found by `verify`, as data is.
import { join } from 'node:path';
import { filesInUse, isTable, isTableEndSound, isTableSound, recordsOf } from '../../log/index.ts';
import {
  fingerprint,
  list,
  readBytes,
  readEndInPlace,
  readInPlace,
  stat,
  tryReplace,
} from '../platform/disk-files.ts';

/** Holds filter, index and footer of nearly every table of 2 MiB. */
const TABLE_END_BYTES = 64 * 1024;

/**
 * The name of a file that is not as it was written; null when none was found. Reads write-ahead files, and of
 * tables it has not seen before the ends, where index and filter stand: about a hundredth. With `whole` it reads every
 * block. The folder may be open, as files in use are only added to. A file that is missing is LevelDB's to say.
 */
export async function damagedFile(folder: string, whole: boolean): Promise<string | null> {
  const current = readInPlace(join(folder, 'CURRENT'))?.toString('utf8').trim() ?? '';
  const manifest = /^MANIFEST-\d+$/.test(current) ? readInPlace(join(folder, current)) : null;
  if (manifest === null) return null;
  const used = filesInUse(manifest);
  if (used === null) return current;
  const logs: string[] = [];
  const before = whole ? {} : readChecked(folder);
  const checked: Record<string, string> = {};
  for (const name of await list(folder)) {
    const number = Number.parseInt(name, 10);
    if (/^\d+\.log$/.test(name) && number >= used.logsFrom) logs.push(name);
    if (!isTable(name) || !used.tables.has(number)) continue;
    const path = join(folder, name);
    // Before it is read: what changes meanwhile is looked at again the next time.
    const seen = fingerprint(path);
    if (seen !== null && before[name] === seen) checked[name] = seen;
    else if (!(whole ? await isWhole(path) : isEndWhole(path))) return name;
    else if (seen !== null) checked[name] = seen;
  }
  if (!whole && Object.entries(checked).some(([name, seen]) => before[name] !== seen))
    // Where it cannot be written, the next opening checks again, which is only slower.
    tryReplace(join(folder, CHECKED), JSON.stringify(checked));
  return logWithHole(folder, logs);
}

/** JSON {table's name: its fingerprint}, of tables whose ends were found whole. */
const CHECKED = 'checked';

/** Whatever is wrong with the file, the tables are checked. */
function readChecked(folder: string): Readonly<Record<string, unknown>> {
  try {
    const known: unknown = JSON.parse(readInPlace(join(folder, CHECKED))?.toString('utf8') ?? '{}');
    return typeof known === 'object' && known !== null ? { ...known } : {};
  } catch {
    return {};
  }
}

/** What is gone meanwhile was merged into another. */
async function isWhole(path: string): Promise<boolean> {
  const size = (await stat(path))?.size;
  return size === undefined || isTableSound(await readBytes(path, 0, size));
}

function isEndWhole(path: string): boolean {
  for (let length = TABLE_END_BYTES; ; ) {
    const end = readEndInPlace(path, length);
    if (end === null) return true;
    const sound = isTableEndSound(end.bytes, end.size);
    if (typeof sound === 'boolean') return sound;
    length = sound.needed;
  }
}

/**
 * Of write-ahead files in the order in which they were written, the one that lost something from its middle: what
 * is good behind it would be read without it. Where nothing good follows, the store only stands further back.
 */
function logWithHole(folder: string, names: readonly string[]): string | null {
  let broken: string | null = null;
  for (const name of names)
    for (const record of recordsOf(readInPlace(join(folder, name)) ?? Buffer.alloc(0)))
      if (record === 'wrong') broken ??= name;
      else if (broken !== null) return broken;
  return null;
}
