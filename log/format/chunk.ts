// Room for the small buffers of a batch, cut from large pieces. Node's own pool is 8 KiB, so that every
// fourth event would bring a piece of memory of its own for the garbage collector to follow.

const CHUNK_BYTES = 256 * 1024;

let chunk = Buffer.alloc(0);
let used = 0;

/** A buffer with unknown contents. It keeps its whole piece alive: not for what is kept for long. */
export function allocate(size: number): Buffer {
  if (size > CHUNK_BYTES / 4) return Buffer.allocUnsafeSlow(size);
  if (used + size > chunk.length) {
    chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    used = 0;
  }
  used += size;
  return chunk.subarray(used - size, used);
}
