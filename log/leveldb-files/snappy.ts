// Snappy's raw format, as LevelDB compresses its blocks. https://github.com/google/snappy/blob/main/format_description.txt
//
//   stream  = length element*          length = varint
//   element = literal | copy           by the two lowest bits of the first byte: 0 literal, 1 to 3 copy

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
  const output = Buffer.alloc(length);
  let end = 0;
  while (at < packed.length) {
    const tag = packed[at++]!;
    if ((tag & 3) === 0) {
      let size = tag >> 2;
      if (size >= 60) {
        const bytes = size - 59;
        size = littleEndian(packed, at, bytes);
        at += bytes;
      }
      size += 1;
      if (at + size > packed.length || end + size > length) return null;
      output.set(packed.subarray(at, at + size), end);
      at += size;
      end += size;
      continue;
    }
    const bytes = [0, 1, 2, 4][tag & 3]!;
    const size = bytes === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const offset = littleEndian(packed, at, bytes) + (bytes === 1 ? (tag >> 5) << 8 : 0);
    at += bytes;
    if (offset === 0 || offset > end || end + size > length) return null;
    // Byte by byte: a copy may overlap its own output.
    for (let left = size; left > 0; left--, end++) output[end] = output[end - offset]!;
  }
  return end === length ? output : null;
}

function littleEndian(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let index = size - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
