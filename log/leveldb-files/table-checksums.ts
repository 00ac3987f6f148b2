// Checks LevelDB's tables against their checksums. LevelDB writes these but, as `classic-level` opens it, never checks
// them: a flipped bit in a table's index or filter would hide keys, one in its data would change values.
import { crc32c, masked } from './crc32c.ts';
import { type Handle, handlesIn, rootsOf } from './leveldb-file.ts';

/** Whether every block of a table, including filter and index, matches its checksum. */
export function isTableSound(file: Buffer): boolean {
  const end = endOf(file, 0);
  const blocks = end?.sound === true ? handlesIn(file, 0, end.index) : null;
  return blocks?.every((block) => isBlockSound(file, 0, block)) ?? false;
}

/**
 * The same for metaindex, filter and index, which are at the end of a table: about a hundredth of it.
 * @param end the last bytes of a file of `size` bytes
 * @returns how many of the last bytes are needed, when these are too few
 */
export function isTableEndSound(end: Buffer, size: number): boolean | { readonly needed: number } {
  const base = size - end.length;
  const found = endOf(end, base);
  if (found === null) return false;
  return found.from >= base ? found.sound : { needed: size - found.from };
}

interface End {
  /** Where the first of metaindex, filter and index begins. When it is outside the bytes, `sound` means nothing. */
  readonly from: number;
  readonly sound: boolean;
  /** Not decompressed here: the checksum is enough, and decompressing takes four times as long. */
  readonly index: Handle;
}

/** `bytes` is a table from its byte `base` on. null when it is not a table. */
function endOf(bytes: Buffer, base: number): End | null {
  const roots = rootsOf(bytes);
  if (roots === null) return null;
  const { meta, index } = roots;
  const known = Math.min(meta.offset, index.offset);
  if (known < base) return { from: known, sound: false, index };
  const areSound = isBlockSound(bytes, base, meta) && isBlockSound(bytes, base, index);
  const filters = areSound ? handlesIn(bytes, base, meta) : null;
  if (filters === null) return { from: base, sound: false, index };
  const from = Math.min(known, ...filters.map(({ offset }) => offset));
  return { from, sound: filters.every((filter) => isBlockSound(bytes, base, filter)), index };
}

function isBlockSound(bytes: Buffer, base: number, { offset, size }: Handle): boolean {
  const from = offset - base;
  const end = from + size + 1;
  if (from < 0 || end + 4 > bytes.length) return false;
  return bytes.readUInt32LE(end) === masked(crc32c(bytes, from, end));
}
