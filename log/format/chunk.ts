// Allocates the small buffers of a batch from large chunks. Node's own pool is 8 KiB, so every fourth event would
// allocate another block for the garbage collector to track.

const CHUNK_BYTES = 256 * 1024;

let chunk = Buffer.alloc(0);
let used = 0;

/** An uninitialised buffer. It keeps its whole chunk alive, so do not keep it for long. */
export function allocate(size: number): Buffer {
  if (size > CHUNK_BYTES / 4) return Buffer.allocUnsafeSlow(size);
  if (used + size > chunk.length) {
    chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    used = 0;
  }
  used += size;
  return chunk.subarray(used - size, used);
}
