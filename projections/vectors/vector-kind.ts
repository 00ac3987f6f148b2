// The vectors as an index kind: how they are built, changed, written and read. The arrays of a file, after the head with
// {dim, ids, idBytes, sessions, sessionTokens, agents}:
//
//   tokens[ids] | sessions[ids] | agents[ids] | offsets[ids + 1], 32 bits | scales[ids], float32 | values[ids × dim], int8
//   | isQuestion[ids], 8 bits | ids, UTF-8
//
// The head lists the distinct `sessions` and `agents`; the arrays hold each row's index into these lists.
import type { MemoryDocument } from '../documents/document.ts';
import { type DocumentChange, type IndexKind, StringColumn } from '../project-indexes/index.ts';
import { changedColumns } from './changed-columns.ts';
import { type Columns, emptyColumns, type VectorRow } from './columns.ts';
import type { Embedder } from './embedder.ts';
import { vectorRecipe, vectorsOf } from './vector-recipe.ts';

/** Estimated bytes of a row besides its vector and its id. */
const ROW_BYTES = 25;
/** Documents embedded at a time. */
const BATCH = 256;

interface VectorHead {
  readonly dim: number;
  readonly ids: number;
  readonly idBytes: number;
  readonly sessions: readonly string[];
  readonly sessionTokens: readonly number[];
  readonly agents: readonly string[];
}

export function vectorKind(embedder: Embedder): IndexKind<Columns> {
  return {
    name: 'vectors',
    relatedFiles: ['graph'],
    format: 3,
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
    holds: ({ ids }, id) => ids.find(id) >= 0,
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
      values.length + ids.byteLength + ids.length * ROW_BYTES + (cache.graph?.bytes(dim) ?? 0),
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
  const { dim, ids, sessions, agents, tokens, scales, values, isQuestion } = columns;
  const head: VectorHead = {
    dim,
    ids: ids.length,
    idBytes: ids.bytes.length,
    sessions: sessions.names,
    sessionTokens: sessions.names.map((session) => columns.sessionTokens.get(session)!),
    agents: agents.names,
  };
  const numbers = [tokens, sessions.numbers, agents.numbers, ids.offsets, scales];
  return { head, arrays: [...numbers, values, isQuestion, ids.bytes] };
}

function read(given: object, { buffer, byteOffset }: Buffer): Columns {
  const { dim, ids: rows, idBytes, sessions, sessionTokens, agents } = given as VectorHead;
  let at = byteOffset;
  const numbers = (length: number) => {
    const array = new Uint32Array(buffer, at, length);
    at += array.byteLength;
    return array;
  };
  const tokens = numbers(rows);
  const sessionNumbers = numbers(rows);
  const agentNumbers = numbers(rows);
  const idOffsets = numbers(rows + 1);
  const values = at + 4 * rows;
  const questions = values + rows * dim;
  return {
    dim,
    ids: new StringColumn(Buffer.from(buffer, questions + rows, idBytes), idOffsets),
    sessions: { names: sessions, numbers: sessionNumbers },
    sessionTokens: new Map(sessions.map((session, number) => [session, sessionTokens[number]!])),
    agents: { names: agents, numbers: agentNumbers },
    tokens,
    stamps: new Uint32Array(rows),
    clock: 0,
    cache: { graph: null },
    scales: new Float32Array(buffer, at, rows),
    values: new Int8Array(buffer, values, rows * dim),
    isQuestion: new Uint8Array(buffer, questions, rows),
  };
}
