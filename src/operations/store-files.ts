// Holds the files of one LevelDB folder against the checksums that stand in them. LevelDB checks those of its
// MANIFEST, and drops what is wrong in a write-ahead file without a word; of a table it checks none, unless asked
// to, which our binding cannot. So a bit in a table's index or filter hides rows, and one in its data changes them.
//
//   table = data block* filter metaindex index footer (48 bytes: two handles, padding, magic)
//   block = content type (1) crc (4), of content and type; a handle is offset and size of the content (varints)
import { join } from 'node:path';
import { crc32c } from '../platform/crc32c.ts';
import { list, readBytes, readEndInPlace, readInPlace, stat } from '../platform/files.ts';
import { contentOf, handleAt, readEntries } from './forget/leveldb-file.ts';
import { filesInUse, maskedCrc, recordsOf } from './store-records.ts';

const FOOTER_BYTES = 48;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');
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
    if (!/^\d+\.(ldb|sst)$/.test(name) || !used.tables.has(number)) continue;
    const path = join(folder, name);
    if (!(whole ? await isTableSound(path) : isTableEndSound(path))) return name;
  }
  return logWithHole(folder, logs);
}

/** Metaindex, filter and index, read from the end of the file. What is gone meanwhile was merged into another. */
function isTableEndSound(path: string): boolean {
  for (let length = TABLE_END_BYTES; ; ) {
    const end = readEndInPlace(path, length);
    if (end === null) return true;
    const base = end.size - end.bytes.length;
    const parts = partsOf(end.bytes, base);
    if (parts === null || parts.from >= base) return parts?.sound ?? false;
    length = end.size - parts.from;
  }
}

async function isTableSound(path: string): Promise<boolean> {
  const size = (await stat(path))?.size;
  if (size === undefined) return true;
  const file = await readBytes(path, 0, size);
  const parts = partsOf(file, 0);
  if (!parts?.sound) return false;
  return parts.blocks.every((handle) => isBlockSound(file, 0, handle));
}

interface Handle {
  readonly offset: number;
  readonly size: number;
}

interface Parts {
  /** Where the first of metaindex, filter and index begins. When that was not read, nothing else is known. */
  readonly from: number;
  readonly sound: boolean;
  /** Of the data. */
  readonly blocks: readonly Handle[];
}

/** `bytes` are a table from `base` on. null: no table. */
function partsOf(bytes: Buffer, base: number): Parts | null {
  if (bytes.length < FOOTER_BYTES || !bytes.subarray(-MAGIC.length).equals(MAGIC)) return null;
  const footer = bytes.subarray(-FOOTER_BYTES);
  const metaindex = handleAt(footer, 0);
  const index = metaindex && handleAt(footer, metaindex.end);
  if (!index) return null;
  const known = Math.min(metaindex.offset, index.offset);
  if (known < base) return { from: known, sound: false, blocks: [] };
  const filters = handlesIn(bytes, base, metaindex);
  const blocks = handlesIn(bytes, base, index);
  if (filters === null || blocks === null) return { from: base, sound: false, blocks: [] };
  const from = Math.min(known, ...filters.map(({ offset }) => offset));
  return { from, sound: filters.every((handle) => isBlockSound(bytes, base, handle)), blocks };
}

/** What a block of handles holds; null when it is not as it was written. */
function handlesIn(bytes: Buffer, base: number, block: Handle): readonly Handle[] | null {
  if (!isBlockSound(bytes, base, block)) return null;
  const content = contentOf(bytes, { ...block, offset: block.offset - base });
  const handles: (Handle | null)[] = [];
  if (content === null || !readEntries(content, (_, value) => handles.push(handleAt(value, 0)))) return null;
  return handles.every((handle) => handle !== null) ? handles : null;
}

function isBlockSound(bytes: Buffer, base: number, { offset, size }: Handle): boolean {
  const from = offset - base;
  const end = from + size + 1;
  if (from < 0 || end + 4 > bytes.length) return false;
  return bytes.readUInt32LE(end) === maskedCrc(crc32c(bytes, from, end));
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
