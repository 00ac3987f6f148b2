// The default embedder: a table of one vector for each word piece, and nothing else. A text's vector is the
// weighted sum of its pieces' rows, brought to length 1: a pure function of the text, the same bytes on every
// machine, because each step is a single IEEE operation in a stated order. Layout, little-endian:
//
//   file = 'STE1' u32 D, N, 64, vocabulary bytes, offset of scales, offset of table, file size
//          sha-256 of all from byte 64 on | N tokens, LF after each, zero bytes | N float32 scales | N × D int8
//
// The file is read as it lies, by views into its bytes; nothing is parsed.
import { createHash } from 'node:crypto';
import type { Embedder } from './embedder.ts';
import { openVocabulary } from './vocabulary.ts';
import { piecesOf } from './word-pieces.ts';

/** The one table that ships. Another file is not this embedder. */
export const STATIC_TABLE = {
  id: 'static-minilm-256',
  file: 'static-minilm-256.bin',
  bytes: 7_798_624,
  /** Of the whole file. */
  sha256: 'ea0f97fa8e34acaad7c7aa9588b5d30bf8a0077f26516bd9a222fcb37db98f3e',
  dim: 256,
} as const;

const HEAD_BYTES = 64;
/** `STE1`. */
const MAGIC = 0x53544531;

/** Whether the file is what it must be, byte for byte: 8 MB of hashing, so not on the way of a search. */
export function isStaticTable(bytes: Uint8Array): boolean {
  return createHash('sha256').update(bytes).digest('hex') === STATIC_TABLE.sha256;
}

/** null for bytes that are no such table: of another size, another layout, or cut. */
export function openStaticTable(bytes: Uint8Array): Embedder | null {
  const layout = layoutOf(bytes);
  if (layout === null) return null;
  const { dim, rows, vocabulary, scales, table } = layout;
  const known = openVocabulary(bytes.subarray(vocabulary, scales));
  const scaleOf = new Float32Array(bytes.buffer, bytes.byteOffset + scales, rows);
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + table, rows * dim);
  const vectorOf = (text: string) => weightedSum(piecesOf(text, known), scaleOf, values, dim);
  return {
    id: STATIC_TABLE.id,
    dim,
    recipe: `${STATIC_TABLE.id}@${STATIC_TABLE.sha256.slice(0, 12)}`,
    embed: (texts) => texts.map(vectorOf),
  };
}

function layoutOf(bytes: Uint8Array) {
  if (bytes.byteLength !== STATIC_TABLE.bytes || bytes.byteOffset % 4 !== 0) return null;
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
  if (head.getUint32(0) !== MAGIC) return null;
  const number = (index: number) => head.getUint32(4 * index, true);
  const [dim, rows, vocabulary, scales, table] = [number(1), number(2), number(3), number(5), number(6)];
  return { dim, rows, vocabulary, scales, table };
}

/** Rows in order of first appearance, each by the root of how often it occurs, in float64. */
function weightedSum(
  rows: readonly number[],
  scales: Float32Array,
  table: Int8Array,
  dim: number,
): Float32Array {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  const sum = new Float64Array(dim);
  for (const [row, count] of counts) {
    const weight = Math.sqrt(count) * scales[row]!;
    const from = row * dim;
    for (let column = 0; column < dim; column += 1) sum[column]! += weight * table[from + column]!;
  }
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = Math.sqrt(squares);
  const vector = new Float32Array(dim);
  if (length > 0) for (let column = 0; column < dim; column += 1) vector[column] = sum[column]! / length;
  return vector;
}
