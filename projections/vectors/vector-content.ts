// The vectors of a project index: chunks of rows, in order of ids. A change writes only the chunks of its documents, so that
// its cost does not grow with the project.
import { StringColumn } from '../project-indexes/index.ts';
import { changedColumns } from './changed-columns.ts';
import { type Columns, emptyColumns, rowsOf, type VectorRow } from './columns.ts';

/**
 * One changed record among 100,000, processor time in ms, median of three runs of the scale bench side by side on a busy
 * machine: 0.9 with 1,024 rows, 3.3 with 4,096, 4.0 with 16,384, 26 with all in one. A search took 12, 14, 13 and 11.
 */
const CHUNK_ROWS_MAX = 1_024;

export interface VectorContent {
  readonly dim: number;
  /** None is empty. */
  readonly chunks: readonly Columns[];
  /** The first id of each chunk. */
  readonly firstIds: readonly string[];
  /** In all chunks. */
  readonly rows: number;
  /** A change modifies them, the rest stays as it was. */
  readonly sessions: SessionSums;
  /** Changes since it was loaded or built. */
  readonly clock: number;
  /** The graph built from this content or from an earlier one. */
  readonly cache: { graph: VectorGraph | null };
}

/** Finds near rows without scanning all of them. */
export interface VectorGraph {
  /** Where documents are that may be among the nearest. */
  candidates(content: VectorContent, query: Float32Array, count: number): readonly Place[];
  /** Whether enough changed to rebuild it. */
  isOutdated(content: VectorContent): boolean;
  /** Estimated memory in bytes. */
  bytes(dim: number): number;
}

/** A row of a chunk. */
export interface Place {
  readonly columns: Columns;
  readonly row: number;
}

export function emptyContent(dim: number): VectorContent {
  return contentOf(emptyColumns(dim));
}

export function contentOf(columns: Columns): VectorContent {
  const sessions = new SessionSums();
  sessions.add(columns);
  return { dim: columns.dim, ...inChunks([columns]), sessions, clock: 0, cache: { graph: null } };
}

/** @param changes the new row of each changed document; null for a removed one */
export function changedContent(
  content: VectorContent,
  changes: ReadonlyMap<string, VectorRow | null>,
): VectorContent {
  const { dim, firstIds, sessions, cache } = content;
  const clock = content.rows === 0 ? 0 : content.clock + 1;
  const sorted = [...changes].sort(([a], [b]) => (a < b ? -1 : 1));
  const before = content.rows === 0 ? [emptyColumns(dim)] : content.chunks;
  let next = 0;
  const after = before.map((columns, chunk) => {
    const until = firstIds[chunk + 1];
    const from = next;
    while (next < sorted.length && (until === undefined || sorted[next]![0] < until)) next += 1;
    if (next === from) return columns;
    const changed = changedColumns(columns, sorted.slice(from, next), clock);
    sessions.add(changed);
    sessions.remove(columns);
    return changed;
  });
  return { dim, ...inChunks(after), sessions, clock, cache };
}

/** Null if there is no such document. */
export function placeOf({ chunks, firstIds }: VectorContent, id: string): Place | null {
  let from = 0;
  let to = chunks.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (firstIds[middle]! <= id) from = middle;
    else to = middle;
  }
  const columns = chunks[from];
  const row = columns?.ids.find(id) ?? -1;
  return columns === undefined || row < 0 ? null : { columns, row };
}

/** Of all rows. */
export function idsOf({ chunks }: VectorContent): StringColumn {
  return StringColumn.joined(chunks.map(({ ids }) => ids));
}

function inChunks(all: readonly Columns[]): Pick<VectorContent, 'chunks' | 'firstIds' | 'rows'> {
  const chunks = all.flatMap((columns) => {
    const rows = columns.ids.length;
    const count = Math.ceil(rows / CHUNK_ROWS_MAX);
    const start = (chunk: number) => Math.floor((chunk * rows) / count);
    return count === 1
      ? [columns]
      : Array.from({ length: count }, (_, chunk) => rowsOf(columns, start(chunk), start(chunk + 1)));
  });
  return {
    chunks,
    firstIds: chunks.map(({ ids }) => ids.at(0)),
    rows: chunks.reduce((sum, { ids }) => sum + ids.length, 0),
  };
}

/** The tokens of all documents of each session, kept because summing them takes longer than a search. */
export class SessionSums {
  readonly #tokens = new Map<string, number>();
  readonly #rows = new Map<string, number>();

  get tokens(): ReadonlyMap<string, number> {
    return this.#tokens;
  }

  add(columns: Columns): void {
    this.#count(columns, 1);
  }

  remove(columns: Columns): void {
    this.#count(columns, -1);
  }

  #count({ sessions: { names, numbers }, tokens }: Columns, sign: 1 | -1): void {
    const sums = names.map(() => ({ tokens: 0, rows: 0 }));
    for (let row = 0; row < numbers.length; row += 1) {
      const sum = sums[numbers[row]!]!;
      sum.tokens += tokens[row]!;
      sum.rows += 1;
    }
    for (const [number, sum] of sums.entries()) {
      const name = names[number]!;
      const rows = (this.#rows.get(name) ?? 0) + sign * sum.rows;
      if (rows === 0) {
        this.#rows.delete(name);
        this.#tokens.delete(name);
        continue;
      }
      this.#rows.set(name, rows);
      this.#tokens.set(name, (this.#tokens.get(name) ?? 0) + sign * sum.tokens);
    }
  }
}
