// Decompresses rollouts.
import { Decompress } from 'fzstd';

/** 256 MiB. Rollouts of days of work have 50; the larger ones that people reported were full of images. */
const DECODED_BYTES_MAX = 256 * 1024 * 1024;

/** @throws when the bytes are not Zstandard, are cut off, or decode to more than the limit */
export function decodeRollout(bytes: Uint8Array, bytesMax = DECODED_BYTES_MAX): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const decoder = new Decompress((piece) => {
    size += piece.length;
    if (size > bytesMax) throw new RangeError(`decodes to more than ${bytesMax} bytes`);
    // The decoder uses its buffer again.
    pieces.push(piece.slice());
  });
  decoder.push(bytes, true);
  return Buffer.concat(pieces);
}
