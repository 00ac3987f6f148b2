// The encoding of a vector in an event: base64 of a float32 scale, little-endian, and one int8 per number; a number is
// scale × int8. 384 numbers take 516 characters, where float32 takes 2,048, with the same order of results.

const STEPS = 127;
const SCALE_BYTES = 4;

/** null for a vector of zeros or with a value that is not finite. */
export function encodeVector(vector: Float32Array): string | null {
  let largest = 0;
  for (const value of vector) {
    if (!Number.isFinite(value)) return null;
    largest = Math.max(largest, Math.abs(value));
  }
  if (largest === 0) return null;
  const bytes = Buffer.alloc(SCALE_BYTES + vector.length);
  bytes.writeFloatLE(largest / STEPS, 0);
  vector.forEach((value, index) => {
    bytes.writeInt8(Math.round((value / largest) * STEPS), SCALE_BYTES + index);
  });
  return bytes.toString('base64');
}

/** The zero vector when `encoded` is undefined or has another length. */
export function decodeVector(encoded: string | undefined, dim: number): Float32Array {
  const vector = new Float32Array(dim);
  if (encoded === undefined) return vector;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== SCALE_BYTES + dim) return vector;
  const scale = bytes.readFloatLE(0);
  for (let index = 0; index < dim; index += 1) vector[index] = scale * bytes.readInt8(SCALE_BYTES + index);
  return vector;
}
