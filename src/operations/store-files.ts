// Holds the files of one LevelDB folder that are in use against the checksums that stand in them. LevelDB itself checks
// those of its MANIFEST, drops what is wrong in a write-ahead file without a word, and checks no table.
import { join } from 'node:path';
import { filesInUse, isTable, isTableEndSound, isTableSound, recordsOf } from '../../log/index.ts';
import { list, readBytes, readEndInPlace, readInPlace, stat } from '../platform/files.ts';

/** Holds filter, index and footer of nearly every table of 2 MiB. */
const TABLE_END_BYTES = 64 * 1024;

/**
 * The name of a file that is not as it was written; null when none was found. Reads write-ahead files, and of
 * tables the ends, where index and filter stand: about a hundredth. With `whole` it reads every block. The folder
 * may be open, as files in use are only added to. A file that is missing is LevelDB's to say.
 */
export async function damagedFile(folder: string, whole: boolean): Promise<string | null> {
  const current = readInPlace(join(folder, 'CURRENT'))?.toString('utf8').trim() ?? '';
  const manifest = /^MANIFEST-\d+$/.test(current) ? readInPlace(join(folder, current)) : null;
  if (manifest === null) return null;
  const used = filesInUse(manifest);
  if (used === null) return current;
  const logs: string[] = [];
  for (const name of await list(folder)) {
    const number = Number.parseInt(name, 10);
    if (/^\d+\.log$/.test(name) && number >= used.logsFrom) logs.push(name);
    if (!isTable(name) || !used.tables.has(number)) continue;
    const path = join(folder, name);
    if (!(whole ? await isWhole(path) : isEndWhole(path))) return name;
  }
  return logWithHole(folder, logs);
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
