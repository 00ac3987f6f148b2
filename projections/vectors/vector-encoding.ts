// A vector as an event holds it: base64 of a float32, little-endian, and one int8 a number; a number is the two
// multiplied. 516 characters for 384 numbers where float32 takes 2,048, and the same order of results.

const STEPS = 127;
const SCALE_BYTES = 4;

/** null for a vector that says nothing: all zeros, or with something in it that is no number. */
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

/** The zero vector for what is none of this length. */
export function decodeVector(packed: string | undefined, dim: number): Float32Array {
  const vector = new Float32Array(dim);
  if (packed === undefined) return vector;
  const bytes = Buffer.from(packed, 'base64');
  if (bytes.length !== SCALE_BYTES + dim) return vector;
  const scale = bytes.readFloatLE(0);
  for (let index = 0; index < dim; index += 1) vector[index] = scale * bytes.readInt8(SCALE_BYTES + index);
  return vector;
}
