// Tables of LevelDB held against the checksums that stand in them, which LevelDB writes but, as `classic-level` opens
// it, never looks at. So a bit in a table's index or filter would hide keys, and one in its data change values.
import { crc32c, masked } from './crc32c.ts';
import { type Handle, handlesIn, rootsOf } from './leveldb-file.ts';

/** Whether every block of a table, its filter and its index too, is what LevelDB wrote. */
export function isTableSound(file: Buffer): boolean {
  const parts = partsOf(file, 0);
  return parts?.sound === true && parts.blocks.every((block) => isBlockSound(file, 0, block));
}

/**
 * The same of metaindex, filter and index, which stand at a table's end: about a hundredth of it.
 * @param end the last bytes of a file of `size` bytes
 * @returns how many of the last bytes have to be there, when these are too few
 */
export function isTableEndSound(end: Buffer, size: number): boolean | { readonly needed: number } {
  const base = size - end.length;
  const parts = partsOf(end, base);
  if (parts === null) return false;
  return parts.from >= base ? parts.sound : { needed: size - parts.from };
}

interface Parts {
  /** Where the first of metaindex, filter and index begins. When that was not read, nothing else is known. */
  readonly from: number;
  readonly sound: boolean;
  /** Of the data. */
  readonly blocks: readonly Handle[];
}

/** `bytes` are a table from its byte `base` on. null: no table. */
function partsOf(bytes: Buffer, base: number): Parts | null {
  const roots = rootsOf(bytes);
  if (roots === null) return null;
  const { meta, index } = roots;
  const known = Math.min(meta.offset, index.offset);
  if (known < base) return { from: known, sound: false, blocks: [] };
  const areSound = isBlockSound(bytes, base, meta) && isBlockSound(bytes, base, index);
  const filters = areSound ? handlesIn(bytes, base, meta) : null;
  const blocks = areSound ? handlesIn(bytes, base, index) : null;
  if (filters === null || blocks === null) return { from: base, sound: false, blocks: [] };
  const from = Math.min(known, ...filters.map(({ offset }) => offset));
  return { from, sound: filters.every((filter) => isBlockSound(bytes, base, filter)), blocks };
}

function isBlockSound(bytes: Buffer, base: number, { offset, size }: Handle): boolean {
  const from = offset - base;
  const end = from + size + 1;
  if (from < 0 || end + 4 > bytes.length) return false;
  return bytes.readUInt32LE(end) === masked(crc32c(bytes, from, end));
}
