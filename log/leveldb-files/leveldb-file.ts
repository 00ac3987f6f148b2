// Reads LevelDB's files directly, far enough to search them for text: every block of a table, obsolete ones too, and
// the data of a write-ahead file without its record headers.
//
//   table  = block* footer         footer = 48 bytes: meta handle, index handle, padding, magic
//   block  = content type crc      type   = 1 byte (1: snappy), crc = 4 bytes; a handle is offset and size (varints)
//   content = entry* restarts count          entry = shared unshared value-length key value (three varints first)
//   wal    = 32 KiB pieces of records        record = crc (4) length (2) type (1) data
import { unpackSnappy } from './snappy.ts';

const FOOTER_BYTES = 48;
/** Type and checksum, after every block. */
const TRAILER_BYTES = 5;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');
const WAL_PIECE_BYTES = 32 * 1024;
const WAL_HEADER_BYTES = 7;

/**
 * Passes on all of a table in readable parts: every data block, uncompressed, each followed by its complete keys (a
 * block stores only the part of a key that differs from the key before), and the bytes between and after the blocks.
 * Returns false when the file cannot be read to its end as a table.
 */
export function readTable(file: Buffer, onPart: (part: Buffer) => void): boolean {
  const roots = rootsOf(file);
  const handles = roots && handlesIn(file, 0, roots.index);
  if (handles === null) return false;
  let end = 0;
  for (const handle of handles) {
    const block = contentOf(file, handle);
    const keys: Buffer[] = [];
    if (!block || !readEntries(block, (key) => keys.push(key))) return false;
    onPart(block);
    onPart(Buffer.concat(keys));
    if (handle.offset > end) onPart(file.subarray(end, handle.offset));
    end = Math.max(end, handle.offset + handle.size + TRAILER_BYTES);
  }
  onPart(file.subarray(end));
  return true;
}

/** Whether a file name is that of a table. */
export function isTable(name: string): boolean {
  return /\.(ldb|sst)$/.test(name);
}

/** The data of a write-ahead file, concatenated. */
export function walData(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let piece = 0; piece < file.length; piece += WAL_PIECE_BYTES) {
    const end = Math.min(piece + WAL_PIECE_BYTES, file.length);
    for (let at = piece; at + WAL_HEADER_BYTES <= end; ) {
      const length = file.readUInt16LE(at + 4);
      at += WAL_HEADER_BYTES;
      parts.push(file.subarray(at, Math.min(at + length, end)));
      at += length;
    }
  }
  return Buffer.concat(parts);
}

/** Position and size of a block in its file, without its type and checksum. */
export interface Handle {
  readonly offset: number;
  readonly size: number;
}

/** Handles of the metaindex and the index block, from the end of a file; null when it is not the end of a table. */
export function rootsOf(end: Buffer): { readonly meta: Handle; readonly index: Handle } | null {
  if (end.length < FOOTER_BYTES || !end.subarray(-MAGIC.length).equals(MAGIC)) return null;
  const footer = end.subarray(-FOOTER_BYTES);
  const meta = handleAt(footer, 0);
  const index = meta && handleAt(footer, meta.end);
  return meta && index && { meta, index };
}

/** The handles in a block; `bytes` begin at byte `base` of the file. null when the block cannot be read. */
export function handlesIn(bytes: Buffer, base: number, block: Handle): readonly Handle[] | null {
  const content = contentOf(bytes, { ...block, offset: block.offset - base });
  const handles: (Handle | null)[] = [];
  if (content === null || !readEntries(content, (_, value) => handles.push(handleAt(value, 0)))) return null;
  return handles.every((handle) => handle !== null) ? handles : null;
}

function handleAt(bytes: Buffer, at: number): (Handle & { readonly end: number }) | null {
  const offset = varintAt(bytes, at);
  const size = offset && varintAt(bytes, offset.end);
  return size && { offset: offset.value, size: size.value, end: size.end };
}

function contentOf(file: Buffer, { offset, size }: Handle): Buffer | null {
  if (offset + size >= file.length) return null;
  const block = file.subarray(offset, offset + size);
  return file[offset + size] === 1 ? unpackSnappy(block) : block;
}

/** Calls `onEntry` for every entry of a block. Returns false when it is not a block. */
function readEntries(block: Buffer, onEntry: (key: Buffer, value: Buffer) => void): boolean {
  if (block.length < 4) return false;
  const end = block.length - 4 * (block.readUInt32LE(block.length - 4) + 1);
  let last: Buffer = Buffer.alloc(0);
  for (let at = 0; at < end; ) {
    const shared = varintAt(block, at);
    const own = shared && varintAt(block, shared.end);
    const length = own && varintAt(block, own.end);
    if (!length) return false;
    const keyEnd = length.end + own.value;
    const ownKey = block.subarray(length.end, keyEnd);
    last = shared.value === 0 ? ownKey : Buffer.concat([last.subarray(0, shared.value), ownKey]);
    onEntry(last, block.subarray(keyEnd, keyEnd + length.value));
    at = keyEnd + length.value;
  }
  return end >= 0;
}

export function varintAt(bytes: Buffer, start: number): { value: number; end: number } | null {
  let value = 0;
  for (let at = start, scale = 1; at < bytes.length && at < start + 10; at++, scale *= 128) {
    value += (bytes[at]! & 0x7f) * scale;
    if (bytes[at]! < 0x80) return { value, end: at + 1 };
  }
  return null;
}
