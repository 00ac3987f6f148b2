// The default embedder: a table of one vector for each word piece, and nothing else. A text's vector is the
// weighted sum of its pieces' rows, brought to length 1: a pure function of the text, the same bytes on every
// machine, because each step is a single IEEE operation in a stated order. Layout, little-endian:
//
//   file = 'STE1' u32 D, N, 64, vocabulary bytes, offset of scales, offset of table, file size
//          sha-256 of all from byte 64 on | N tokens, LF after each, zero bytes | N float32 scales | N × D int8
//
// The file is read as it lies, by views into its bytes; nothing is parsed. For a query only its head and the rows of
// its few pieces are read: all of it is 8 MB, which a short command would notice.
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
/** A longer text takes as long row by row as with the whole table. */
const ROWS_READ_MAX = 64;
/** `STE1`. */
const MAGIC = 0x53544531;

/** Whether the file is what it must be, byte for byte: 8 MB of hashing, so not on the way of a search. */
export function isStaticTable(bytes: Uint8Array): boolean {
  return createHash('sha256').update(bytes).digest('hex') === STATIC_TABLE.sha256;
}

/** The table's file, held open. */
export interface TableFile {
  readonly size: number;
  /** A stretch of it, in memory of its own. @throws Error when it cannot be read, or ends before */
  read(from: number, length: number): Uint8Array<ArrayBuffer>;
}

/** The same for a file that is in memory. */
export function openStaticTable(bytes: Uint8Array): Embedder | null {
  return openTableFile({
    size: bytes.byteLength,
    read: (from, length) => new Uint8Array(bytes.subarray(from, from + length)),
  });
}

/** null for a file that is no such table: of another size, another layout, or cut. */
export function openTableFile(file: TableFile): Embedder | null {
  const layout = layoutOf(file);
  if (layout === null) return null;
  const { dim, rows, vocabulary, scales, table } = layout;
  const known = openVocabulary(file.read(vocabulary, scales - vocabulary));
  const scaleOf = new Float32Array(file.read(scales, 4 * rows).buffer);
  const valuesOf = tableRows(file, table, rows, dim);
  return {
    id: STATIC_TABLE.id,
    dim,
    recipe: `${STATIC_TABLE.id}@${STATIC_TABLE.sha256.slice(0, 12)}`,
    embed(texts) {
      const pieces = texts.map((text) => piecesOf(text, known));
      const values = valuesOf(pieces);
      return pieces.map((rows) => weightedSum(rows, scaleOf, values, dim));
    },
  };
}

/** Where a row's values stand among those that were read. */
interface Values {
  readonly read: Int8Array;
  at(row: number): number;
}

/** The rows of some texts: one by one where they are few, else the whole table, which then stays. */
function tableRows(file: TableFile, table: number, rows: number, dim: number) {
  let whole: Values | null = null;
  return (pieces: readonly (readonly number[])[]): Values => {
    const wanted = whole === null && pieces.length === 1 ? [...new Set(pieces[0])] : null;
    if (wanted !== null && wanted.length <= ROWS_READ_MAX) {
      const read = new Int8Array(wanted.length * dim);
      wanted.forEach((row, index) => {
        read.set(new Int8Array(file.read(table + row * dim, dim).buffer), index * dim);
      });
      const workdirs = new Map(wanted.map((row, index) => [row, index * dim]));
      return { read, at: (row) => workdirs.get(row)! };
    }
    whole ??= { read: new Int8Array(file.read(table, rows * dim).buffer), at: (row) => row * dim };
    return whole;
  };
}

function layoutOf(file: TableFile) {
  if (file.size !== STATIC_TABLE.bytes) return null;
  const head = new DataView(file.read(0, HEAD_BYTES).buffer);
  if (head.getUint32(0) !== MAGIC) return null;
  const number = (index: number) => head.getUint32(4 * index, true);
  const [dim, rows, vocabulary, scales, table] = [number(1), number(2), number(3), number(5), number(6)];
  return { dim, rows, vocabulary, scales, table };
}

/** Rows in order of first appearance, each by the root of how often it occurs, in float64. */
function weightedSum(
  rows: readonly number[],
  scales: Float32Array,
  values: Values,
  dim: number,
): Float32Array {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  const sum = new Float64Array(dim);
  for (const [row, count] of counts) {
    const weight = Math.sqrt(count) * scales[row]!;
    const from = values.at(row);
    for (let column = 0; column < dim; column += 1) sum[column]! += weight * values.read[from + column]!;
  }
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = Math.sqrt(squares);
  const vector = new Float32Array(dim);
  if (length > 0) for (let column = 0; column < dim; column += 1) vector[column] = sum[column]! / length;
  return vector;
}
