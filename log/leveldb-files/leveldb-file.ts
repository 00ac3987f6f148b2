// LevelDB's files, read beside LevelDB. Unpacked so far that text in them can be searched for: every block of a table,
// also of one that nobody reads any more, and a write-ahead file without the headers that cut its records.
//
//   table  = block* footer         footer = 48 bytes: meta handle, index handle, padding, magic
//   block  = content type crc      type   = 1 byte (1: snappy), crc = 4 bytes; a handle is offset and size (varints)
//   content = entry* restarts count          entry = shared unshared value-length key value (three varints first)
//   wal    = 32 KiB pieces of records        record = crc (4) length (2) type (1) data
import { unpackSnappy } from './snappy.ts';

const FOOTER_BYTES = 48;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');
const WAL_PIECE_BYTES = 32 * 1024;
const WAL_HEADER_BYTES = 7;

/**
 * Every data block of a table, unpacked, in which values stand whole; and after each the keys it holds, which stand in it
 * without what they share with the key before. null: no table.
 */
export function tableBlocks(file: Buffer): Buffer[] | null {
  const roots = rootsOf(file);
  const handles = roots && handlesIn(file, 0, roots.index);
  if (handles === null) return null;
  const blocks: Buffer[] = [];
  for (const handle of handles) {
    const block = contentOf(file, handle);
    const keys: Buffer[] = [];
    if (!block || !readEntries(block, (key) => keys.push(key))) return null;
    blocks.push(block, Buffer.concat(keys));
  }
  return blocks;
}

/** Whether a file is one, by its name. */
export function isTable(name: string): boolean {
  return /\.(ldb|sst)$/.test(name);
}

/** A write-ahead file's data in one piece. */
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

/** Where a block stands in its file, without its type and checksum. */
export interface Handle {
  readonly offset: number;
  readonly size: number;
}

/** Where the block of other blocks' names stands, and the one that says where the data is; null: no table's end. */
export function rootsOf(end: Buffer): { readonly meta: Handle; readonly index: Handle } | null {
  if (end.length < FOOTER_BYTES || !end.subarray(-MAGIC.length).equals(MAGIC)) return null;
  const footer = end.subarray(-FOOTER_BYTES);
  const meta = handleAt(footer, 0);
  const index = meta && handleAt(footer, meta.end);
  return meta && index && { meta, index };
}

/** The handles that a block holds, in bytes of which the first is the file's byte `base`; null when it holds none. */
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

/** Hands out every entry of a block. False when it is none. */
function readEntries(block: Buffer, onEntry: (key: Buffer, value: Buffer) => void): boolean {
  if (block.length < 4) return false;
  const end = block.length - 4 * (block.readUInt32LE(block.length - 4) + 1);
  let last: Buffer = Buffer.alloc(0);
  for (let at = 0; at < end; ) {
    const shared = varintAt(block, at);
    const own = shared && varintAt(block, shared.end);
    const held = own && varintAt(block, own.end);
    if (!held) return false;
    const keyEnd = held.end + own.value;
    const ownKey = block.subarray(held.end, keyEnd);
    last = shared.value === 0 ? ownKey : Buffer.concat([last.subarray(0, shared.value), ownKey]);
    onEntry(last, block.subarray(keyEnd, keyEnd + held.value));
    at = keyEnd + held.value;
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
