// A partition's vectors as columns, a row for each document, in order of ids: so that equal documents give equal
// bytes, and a search is one run over one array. Vectors are int8 with a scale for each row: a quarter of the
// memory, and the order of results is that of float32 (recall@10 on LoCoMo equal to the first digit).
import type { MemoryDocument } from '../memory/document.ts';
import { dotProducts } from './dot-products.ts';
import { asks } from './recipe.ts';

export interface Columns {
  readonly dim: number;
  readonly ids: readonly string[];
  /** The session; a document without one is its own. */
  readonly sessions: readonly string[];
  /** Tokens of all documents of each session, ready for a search: summing them up takes longer than the search. */
  readonly sessionTokens: ReadonlyMap<string, number>;
  readonly agents: readonly string[];
  readonly tokens: Uint32Array;
  /** 1 where a document asks rather than tells. */
  readonly asks: Uint8Array;
  /** Value of row r, column k = scales[r] × values[r × dim + k]. */
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

/** A document with its vector. */
export interface VectorRow {
  readonly document: MemoryDocument;
  readonly vector: Float32Array;
}

const STEPS = 127;

export function emptyColumns(dim: number): Columns {
  return columnsOf(dim, []);
}

/** The columns without the documents named in `gone`, and with those of `rows`, which replace what has their id. */
export function changed(columns: Columns, gone: ReadonlySet<string>, rows: readonly VectorRow[]): Columns {
  const fresh = new Map(rows.map((row) => [row.document.id, row]));
  const sources: Source[] = [...fresh.values()];
  columns.ids.forEach((id, row) => {
    if (!gone.has(id) && !fresh.has(id)) sources.push({ columns, row });
  });
  return columnsOf(columns.dim, sources);
}

/** The cosine of each row with a query's vector. */
export function cosines({ dim, scales, values }: Columns, query: Float32Array): Float32Array {
  const products = dotProducts(values, dim, query);
  return scales.map((scale, row) => scale * products[row]!);
}

type Source = VectorRow | { readonly columns: Columns; readonly row: number };

function columnsOf(dim: number, sources: readonly Source[]): Columns {
  const rows = [...sources].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const sessionTokens = new Map<string, number>();
  const columns = {
    dim,
    sessionTokens,
    ids: rows.map(idOf),
    sessions: new Array<string>(rows.length),
    agents: new Array<string>(rows.length),
    tokens: new Uint32Array(rows.length),
    asks: new Uint8Array(rows.length),
    scales: new Float32Array(rows.length),
    values: new Int8Array(rows.length * dim),
  };
  rows.forEach((source, row) => {
    if ('columns' in source) {
      const { columns: from, row: old } = source;
      columns.sessions[row] = from.sessions[old]!;
      columns.agents[row] = from.agents[old]!;
      columns.tokens[row] = from.tokens[old]!;
      columns.asks[row] = from.asks[old]!;
      columns.scales[row] = from.scales[old]!;
      columns.values.set(from.values.subarray(old * dim, (old + 1) * dim), row * dim);
      return;
    }
    const { document, vector } = source;
    columns.sessions[row] = document.session ?? document.id;
    columns.agents[row] = document.agent;
    columns.tokens[row] = document.tokens;
    columns.asks[row] = asks(document) ? 1 : 0;
    const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    columns.scales[row] = largest / STEPS;
    if (largest > 0)
      for (let column = 0; column < dim; column += 1)
        columns.values[row * dim + column] = Math.round((vector[column]! / largest) * STEPS);
  });
  columns.sessions.forEach((session, row) => {
    sessionTokens.set(session, (sessionTokens.get(session) ?? 0) + columns.tokens[row]!);
  });
  return columns;
}

function idOf(source: Source): string {
  return 'columns' in source ? source.columns.ids[source.row]! : source.document.id;
}
