// The vectors as an index kind: how they are built, changed, written and read. The arrays of a file, after the head with
// {dim, ids, sessions, sessionTokens, agents}:
//
//   tokens[ids] | sessions[ids] | agents[ids], 32 bits | scales[ids], float32 | values[ids × dim], int8 | isQuestion[ids], 8 bits
//
// The head lists the distinct `sessions` and `agents`; the arrays hold each row's index into these lists.
import type { MemoryDocument } from '../documents/document.ts';
import { type DocumentChange, type IndexKind, numberOf } from '../project-indexes/index.ts';
import { type Columns, changedColumns, emptyColumns, type VectorRow } from './columns.ts';
import type { Embedder } from './embedder.ts';
import { vectorRecipe, vectorsOf } from './vector-recipe.ts';

/** Estimated bytes of a row besides its vector: its id as a string, references, numbers. */
const ROW_BYTES = 48 + 16 + 13;
/** Documents embedded at a time. */
const BATCH = 256;

interface VectorHead {
  readonly dim: number;
  readonly ids: readonly string[];
  readonly sessions: readonly string[];
  readonly sessionTokens: readonly number[];
  readonly agents: readonly string[];
}

export function vectorKind(embedder: Embedder): IndexKind<Columns> {
  return {
    name: 'vectors',
    relatedFiles: ['graph'],
    format: 2,
    recipe: vectorRecipe(embedder),
    damaged: 'A vector index on disk was damaged; it was rebuilt from the documents.',
    async build(documents) {
      const rows: VectorRow[] = [];
      let batch: MemoryDocument[] = [];
      for await (const document of documents) {
        batch.push(document);
        if (batch.length < BATCH) continue;
        rows.push(...(await rowsOf(batch, embedder)));
        batch = [];
      }
      rows.push(...(await rowsOf(batch, embedder)));
      return changedColumns(emptyColumns(embedder.dim), new Set(), rows);
    },
    holds: ({ ids }, id) => numberOf(ids, id) >= 0,
    async fold(columns, changes) {
      const last = lastOf(changes);
      const current = [...last.values()].filter((document) => document !== null);
      return changedColumns(columns, new Set(last.keys()), await rowsOf(current, embedder));
    },
    isFragmented: () => false,
    compact: async (columns) => columns,
    write,
    read,
    bytes: ({ dim, ids, values, cache }) =>
      values.length + ids.length * ROW_BYTES + (cache.graph?.bytes(dim) ?? 0),
  };
}

/** The last state of each changed document: null for a removed one. */
function lastOf(changes: readonly DocumentChange[]): ReadonlyMap<string, MemoryDocument | null> {
  const last = new Map<string, MemoryDocument | null>();
  for (const { id, document } of changes) last.set(id, document);
  return last;
}

async function rowsOf(documents: readonly MemoryDocument[], embedder: Embedder): Promise<VectorRow[]> {
  const vectors = await vectorsOf(documents, embedder);
  return documents.map((document, index) => ({ document, vector: vectors[index]! }));
}

function write(columns: Columns): ReturnType<IndexKind<Columns>['write']> {
  const { dim, ids, tokens, scales, values, isQuestion } = columns;
  const sessions = [...new Set(columns.sessions)];
  const agents = [...new Set(columns.agents)];
  const head: VectorHead = {
    dim,
    ids,
    sessions,
    sessionTokens: sessions.map((session) => columns.sessionTokens.get(session)!),
    agents,
  };
  const numbers = [numbersOf(columns.sessions, sessions), numbersOf(columns.agents, agents)];
  return { head, arrays: [tokens, ...numbers, scales, values, isQuestion] };
}

function read(given: object, { buffer, byteOffset }: Buffer): Columns {
  const head = given as VectorHead;
  const { dim, ids } = head;
  const rows = ids.length;
  const column = (index: number) => new Uint32Array(buffer, byteOffset + 4 * rows * index, rows);
  const values = byteOffset + 16 * rows;
  return {
    dim,
    ids,
    tokens: column(0),
    sessions: Array.from(column(1), (number) => head.sessions[number]!),
    sessionTokens: new Map(head.sessions.map((session, number) => [session, head.sessionTokens[number]!])),
    agents: Array.from(column(2), (number) => head.agents[number]!),
    agentNames: new Set(head.agents),
    stamps: new Uint32Array(rows),
    clock: 0,
    cache: { graph: null },
    scales: new Float32Array(buffer, byteOffset + 12 * rows, rows),
    values: new Int8Array(buffer, values, rows * dim),
    isQuestion: new Uint8Array(buffer, values + rows * dim, rows),
  };
}

function numbersOf(values: readonly string[], different: readonly string[]): Uint32Array {
  const numbers = new Map(different.map((value, number) => [value, number]));
  return Uint32Array.from(values, (value) => numbers.get(value)!);
}
