// CRC-32C (Castagnoli), LevelDB's checksum of every block. zlib uses another polynomial.
import checksum from 'crc-32/crc32c.js';

const MASK_DELTA = 0xa282ead8;

/** The checksum of the bytes from `start` up to, not including, `end`. Unsigned. */
export function crc32c(bytes: Uint8Array, start: number, end: number): number {
  return checksum.buf(bytes.subarray(start, end)) >>> 0;
}

/** The form in which LevelDB stores it: rotated and offset, so that a checksum of checksums is not weak. */
export function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}
