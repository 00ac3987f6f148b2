// Snappy's raw format, as LevelDB compresses its blocks. https://github.com/google/snappy/blob/main/format_description.txt
//
//   stream  = length element*          length = varint
//   element = literal | copy           by the two lowest bits of the first byte: 0 literal, 1 to 3 copy

/** Bytes up to which a loop is faster than a call. */
const SHORT = 32;

/** null when the bytes are not a valid stream, or longer than 64 MiB uncompressed. */
export function unpackSnappy(packed: Uint8Array): Buffer | null {
  let at = 0;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = packed[at++];
    if (byte === undefined || shift > 28) return null;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  if (length > 64 * 1024 * 1024) return null;
  const output = Buffer.allocUnsafe(length);
  let end = 0;
  while (at < packed.length) {
    const tag = packed[at++]!;
    if ((tag & 3) === 0) {
      let size = (tag >> 2) + 1;
      if (size > 60) {
        const bytes = size - 60;
        size = littleEndian(packed, at, bytes) + 1;
        at += bytes;
      }
      if (at + size > packed.length || end + size > length) return null;
      if (size > SHORT) {
        output.set(packed.subarray(at, at + size), end);
        at += size;
        end += size;
      } else for (let left = size; left > 0; left--) output[end++] = packed[at++]!;
      continue;
    }
    let size = (tag >> 2) + 1;
    let offset = 0;
    if ((tag & 3) === 1) {
      size = ((tag >> 2) & 7) + 4;
      offset = ((tag >> 5) << 8) | packed[at++]!;
    } else if ((tag & 3) === 2) {
      offset = packed[at]! | (packed[at + 1]! << 8);
      at += 2;
    } else {
      offset = littleEndian(packed, at, 4);
      at += 4;
    }
    if (offset === 0 || offset > end || end + size > length) return null;
    // Byte by byte: a copy may overlap its own output.
    for (let from = end - offset; size > 0; size--) output[end++] = output[from++]!;
  }
  return end === length ? output : null;
}

function littleEndian(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let index = size - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
