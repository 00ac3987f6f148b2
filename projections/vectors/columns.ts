// Vectors as columns, one row per document, in order of ids: equal documents give equal bytes, and a search is one pass over
// arrays. Vectors are int8 with a scale per row: a quarter of the memory of float32 with the same order of results (recall@10
// on LoCoMo equal to the first decimal).
import type { MemoryDocument } from '../documents/document.ts';
import { StringColumn } from '../project-indexes/index.ts';

export interface Columns {
  readonly dim: number;
  readonly ids: StringColumn;
  /** The session; a document without one is its own session. */
  readonly sessions: NameColumn;
  readonly agents: NameColumn;
  readonly tokens: Uint32Array;
  /** 1 where a document asks rather than states. */
  readonly isQuestion: Uint8Array;
  /** Value of row r, column k = scales[r] × values[r × dim + k]. */
  readonly scales: Float32Array;
  readonly values: Int8Array;
  /** The change that wrote each row, counted since the index was loaded or built. Not saved. */
  readonly stamps: Uint32Array;
}

/** A column of few distinct strings. */
export interface NameColumn {
  /** In the order of their first rows. */
  readonly names: readonly string[];
  /** The index in `names` of each row. */
  readonly numbers: Uint32Array;
}

export function nameAt({ names, numbers }: NameColumn, row: number): string {
  return names[numbers[row]!]!;
}

/** A column with only the names of its rows, in the order of their first rows. @param numbers indexes in `names` */
export function nameColumn(names: readonly string[], numbers: Uint32Array): NameColumn {
  const own: string[] = [];
  const renumbered = new Map<number, number>();
  const rows = numbers.map((number) => {
    let next = renumbered.get(number);
    if (next === undefined) {
      next = own.push(names[number]!) - 1;
      renumbered.set(number, next);
    }
    return next;
  });
  return { names: own, numbers: rows };
}

/** A document with its vector. */
export interface VectorRow {
  readonly document: MemoryDocument;
  readonly vector: Float32Array;
}

export function emptyColumns(dim: number): Columns {
  return {
    dim,
    ids: StringColumn.of([]),
    sessions: { names: [], numbers: new Uint32Array(0) },
    agents: { names: [], numbers: new Uint32Array(0) },
    tokens: new Uint32Array(0),
    isQuestion: new Uint8Array(0),
    scales: new Float32Array(0),
    values: new Int8Array(0),
    stamps: new Uint32Array(0),
  };
}

/** The rows `from`…`to`, in the same memory. */
export function rowsOf(columns: Columns, from: number, to: number): Columns {
  const { dim, ids, sessions, agents, tokens, isQuestion, scales, values, stamps } = columns;
  return {
    dim,
    ids: ids.part(from, to),
    sessions: nameColumn(sessions.names, sessions.numbers.subarray(from, to)),
    agents: nameColumn(agents.names, agents.numbers.subarray(from, to)),
    tokens: tokens.subarray(from, to),
    isQuestion: isQuestion.subarray(from, to),
    scales: scales.subarray(from, to),
    values: values.subarray(from * dim, to * dim),
    stamps: stamps.subarray(from, to),
  };
}
