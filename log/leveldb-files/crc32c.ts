// CRC-32C (Castagnoli), LevelDB's checksum of every block; zlib uses another polynomial. Sixteen bytes a step, with
// sixteen consecutive tables: measured 910 MB/s; eight bytes a step 560 to 860, sha-256 360.
//
// https://datatracker.ietf.org/doc/html/rfc3720#appendix-B.4

const REVERSED_POLYNOMIAL = 0x82f63b78;
const MASK_DELTA = 0xa282ead8;
const STEP = 16;
const TABLES = tables();

/** The checksum of the bytes from `start` up to, not including, `end`. Unsigned. */
export function crc32c(bytes: Uint8Array, start: number, end: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let crc = -1;
  let at = start;
  for (const last = end - STEP; at <= last; at += STEP) {
    const a = crc ^ view.getInt32(at, true);
    const b = view.getInt32(at + 4, true);
    const c = view.getInt32(at + 8, true);
    const d = view.getInt32(at + 12, true);
    // The first byte of a step has the most bytes behind it, so it uses the last table.
    crc =
      TABLES[0xf00 | (a & 255)]! ^
      TABLES[0xe00 | ((a >>> 8) & 255)]! ^
      TABLES[0xd00 | ((a >>> 16) & 255)]! ^
      TABLES[0xc00 | (a >>> 24)]! ^
      TABLES[0xb00 | (b & 255)]! ^
      TABLES[0xa00 | ((b >>> 8) & 255)]! ^
      TABLES[0x900 | ((b >>> 16) & 255)]! ^
      TABLES[0x800 | (b >>> 24)]! ^
      TABLES[0x700 | (c & 255)]! ^
      TABLES[0x600 | ((c >>> 8) & 255)]! ^
      TABLES[0x500 | ((c >>> 16) & 255)]! ^
      TABLES[0x400 | (c >>> 24)]! ^
      TABLES[0x300 | (d & 255)]! ^
      TABLES[0x200 | ((d >>> 8) & 255)]! ^
      TABLES[0x100 | ((d >>> 16) & 255)]! ^
      TABLES[d >>> 24]!;
  }
  for (; at < end; at++) crc = TABLES[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The form in which LevelDB stores it: rotated and offset, so that a checksum of checksums is not weak. */
export function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}

/** The checksum of each byte with 0, 1, ... 15 zero bytes behind it: 16 tables of 256 numbers. */
function tables(): Int32Array {
  const table = new Int32Array(STEP * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ REVERSED_POLYNOMIAL : crc >>> 1;
    table[byte] = crc;
  }
  for (let at = 256; at < table.length; at++) {
    const before = table[at - 256]!;
    table[at] = (before >>> 8) ^ table[before & 255]!;
  }
  return table;
}
