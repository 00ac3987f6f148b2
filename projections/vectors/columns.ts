// The vectors of a project index as columns, one row per document, in order of ids: equal documents give equal bytes,
// and a search is one pass over one array. Vectors are int8 with a scale per row: a quarter of the memory of float32
// with the same order of results (recall@10 on LoCoMo equal to the first decimal).
import type { MemoryDocument } from '../documents/document.ts';
import { StringColumn } from '../project-indexes/index.ts';

export interface Columns {
  readonly dim: number;
  readonly ids: StringColumn;
  /** The session; a document without one is its own session. */
  readonly sessions: NameColumn;
  /** Tokens of all documents of each session, precomputed because summing them takes longer than a search. */
  readonly sessionTokens: ReadonlyMap<string, number>;
  readonly agents: NameColumn;
  readonly tokens: Uint32Array;
  /** 1 where a document asks rather than states. */
  readonly isQuestion: Uint8Array;
  /** Value of row r, column k = scales[r] × values[r × dim + k]. */
  readonly scales: Float32Array;
  readonly values: Int8Array;
  /** The change that wrote each row, counted since the columns were loaded or built. Not saved. */
  readonly stamps: Uint32Array;
  /** Changes since then. */
  readonly clock: number;
  /** The graph built from these columns or from an earlier version of them. */
  readonly cache: { graph: VectorGraph | null };
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

/** Finds near rows without scanning all of them. */
export interface VectorGraph {
  /** Rows that may be among the nearest. */
  candidates(columns: Columns, query: Float32Array, count: number): readonly number[];
  /** Whether enough changed to rebuild it. */
  isOutdated(columns: Columns): boolean;
  /** Estimated memory in bytes. */
  bytes(dim: number): number;
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
    sessionTokens: new Map(),
    agents: { names: [], numbers: new Uint32Array(0) },
    tokens: new Uint32Array(0),
    isQuestion: new Uint8Array(0),
    scales: new Float32Array(0),
    values: new Int8Array(0),
    stamps: new Uint32Array(0),
    clock: 0,
    cache: { graph: null },
  };
}
