// The default embedder: a table with one vector per word piece. A text's vector is the weighted sum of the rows of its
// pieces, normalized to length 1. It is a pure function of the text with the same bytes on every machine, because each
// step is a single IEEE operation in a fixed order. Layout, little-endian:
//
//   file = 'STE1' u32 D, N, 64, vocabulary bytes, offset of scales, offset of table, file size
//          sha-256 of all from byte 64 on | N tokens, LF after each, zero bytes | N float32 scales | N × D int8
//
// The file is used through views into its bytes, without parsing. For a query only the head and the rows of its few
// pieces are read, because reading all 8 MB would slow down a short command.
import { createHash } from 'node:crypto';
import type { Embedder } from './embedder.ts';
import { openVocabulary } from './vocabulary.ts';
import { piecesOf } from './word-pieces.ts';

/** The table that ships. Any other file is rejected. */
export const STATIC_TABLE = {
  id: 'static-minilm-256',
  file: 'static-minilm-256.bin',
  bytes: 7_798_624,
  /** Of the complete file. */
  sha256: 'ea0f97fa8e34acaad7c7aa9588b5d30bf8a0077f26516bd9a222fcb37db98f3e',
  dim: 256,
} as const;

const HEAD_BYTES = 64;
/** With more rows, reading them one by one takes as long as reading the table. */
const ROWS_READ_MAX = 64;
/** `STE1`. */
const MAGIC = 0x53544531;

/** Whether the file is exactly the table that ships. Hashes 8 MB, so do not call it during a search. */
export function isStaticTable(bytes: Uint8Array): boolean {
  return createHash('sha256').update(bytes).digest('hex') === STATIC_TABLE.sha256;
}

/** The open file of the table. */
export interface TableFile {
  readonly size: number;
  /** A copy of a range of the file. @throws Error when it cannot be read or is too short */
  read(from: number, length: number): Uint8Array<ArrayBuffer>;
}

export interface StaticEmbedder extends Embedder {
  /** Whether this is a common English word: the table has a row for all of it. In lower case. */
  isCommonWord(word: string): boolean;
}

/** Opens a table in memory; null when it is not a valid table. */
export function openStaticTable(bytes: Uint8Array): StaticEmbedder | null {
  return openTableFile({
    size: bytes.byteLength,
    read: (from, length) => new Uint8Array(bytes.subarray(from, from + length)),
  });
}

/** Opens a table file; null when its size or header is wrong. */
export function openTableFile(file: TableFile): StaticEmbedder | null {
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
    isCommonWord: (word) => known.rowOf(word) !== undefined,
  };
}

/** Table values in memory, and where each row begins in them. */
interface Values {
  readonly read: Int8Array;
  at(row: number): number;
}

/** Reads the rows of some texts: single rows for one short text, else the complete table, which then stays in memory. */
function tableRows(file: TableFile, tableOffset: number, rows: number, dim: number) {
  let table: Values | null = null;
  return (pieces: readonly (readonly number[])[]): Values => {
    const wanted = table === null && pieces.length === 1 ? [...new Set(pieces[0])] : null;
    if (wanted !== null && wanted.length <= ROWS_READ_MAX) {
      const read = new Int8Array(wanted.length * dim);
      wanted.forEach((row, index) => {
        read.set(new Int8Array(file.read(tableOffset + row * dim, dim).buffer), index * dim);
      });
      const offsets = new Map(wanted.map((row, index) => [row, index * dim]));
      return { read, at: (row) => offsets.get(row)! };
    }
    table ??= { read: new Int8Array(file.read(tableOffset, rows * dim).buffer), at: (row) => row * dim };
    return table;
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

/** Sums rows in order of first appearance, each weighted by the square root of its count, in float64. */
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
