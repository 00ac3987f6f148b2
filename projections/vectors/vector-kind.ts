// The vectors as an index kind: how they are built, changed, written and read. The arrays of a file, after the head with
// {dim, ids, idBytes, sessions, agents}:
//
//   tokens[ids] | sessions[ids] | agents[ids] | offsets[ids + 1], 32 bits | scales[ids], float32 | values[ids × dim], int8
//   | isQuestion[ids], 8 bits | ids, UTF-8
//
// The head lists the distinct `sessions` and `agents`; the arrays hold each row's index into these lists.
import type { MemoryDocument } from '../documents/document.ts';
import { type DocumentChange, type IndexKind, StringColumn } from '../project-indexes/index.ts';
import type { NameColumn, VectorRow } from './columns.ts';
import type { Embedder } from './embedder.ts';
import {
  changedContent,
  contentOf,
  emptyContent,
  idsOf,
  placeOf,
  type VectorContent,
} from './vector-content.ts';
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
  readonly agents: readonly string[];
}

export function vectorKind(embedder: Embedder): IndexKind<VectorContent> {
  return {
    name: 'vectors',
    relatedFiles: ['graph'],
    format: 4,
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
      return changedContent(emptyContent(embedder.dim), byId(rows));
    },
    holds: (content, id) => placeOf(content, id) !== null,
    async fold(content, changes) {
      const last = lastOf(changes);
      const current = [...last.values()].filter((document) => document !== null);
      const rows = byId(await rowsOf(current, embedder));
      return changedContent(content, new Map([...last.keys()].map((id) => [id, rows.get(id) ?? null])));
    },
    isFragmented: () => false,
    compact: async (content) => content,
    write,
    read,
    bytes: ({ dim, chunks, cache }) =>
      chunks.reduce(
        (sum, { ids, values }) => sum + values.length + ids.byteLength + ids.length * ROW_BYTES,
        cache.graph?.bytes(dim) ?? 0,
      ),
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

function byId(rows: readonly VectorRow[]): ReadonlyMap<string, VectorRow> {
  return new Map(rows.map((row) => [row.document.id, row]));
}

function write(content: VectorContent): ReturnType<IndexKind<VectorContent>['write']> {
  const { dim, rows, chunks } = content;
  const ids = idsOf(content);
  const sessions = joined(chunks.map((columns) => columns.sessions));
  const agents = joined(chunks.map((columns) => columns.agents));
  const head: VectorHead = {
    dim,
    ids: rows,
    idBytes: ids.bytes.length,
    sessions: sessions.names,
    agents: agents.names,
  };
  const arrays = [
    ...chunks.map(({ tokens }) => tokens),
    ...[...sessions.numbers, ...agents.numbers, ids.offsets],
    ...chunks.map(({ scales }) => scales),
    ...chunks.map(({ values }) => values),
    ...chunks.map(({ isQuestion }) => isQuestion),
    ids.bytes,
  ];
  return { head, arrays };
}

/** The names of all chunks, and the numbers of the rows of each. */
function joined(columns: readonly NameColumn[]) {
  const known = new Map<string, number>();
  const numbers = columns.map((column) => {
    const numberOf = column.names.map((name) => {
      const number = known.get(name) ?? known.size;
      known.set(name, number);
      return number;
    });
    return column.numbers.map((number) => numberOf[number]!);
  });
  return { names: [...known.keys()], numbers };
}

function read(given: object, { buffer, byteOffset }: Buffer): VectorContent {
  const { dim, ids: rows, idBytes, sessions, agents } = given as VectorHead;
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
  return contentOf({
    dim,
    ids: new StringColumn(Buffer.from(buffer, questions + rows, idBytes), idOffsets),
    sessions: { names: sessions, numbers: sessionNumbers },
    agents: { names: agents, numbers: agentNumbers },
    tokens,
    stamps: new Uint32Array(rows),
    scales: new Float32Array(buffer, at, rows),
    values: new Int8Array(buffer, values, rows * dim),
    isQuestion: new Uint8Array(buffer, questions, rows),
  });
}
