// The searches that ours is compared with, on the same documents: its own parts alone, reciprocal rank fusion of them,
// MiniSearch with its defaults, and SQLite's FTS5 with the porter tokenizer. The last two get title, body, files and the
// query's words joined by OR.
import { createRequire } from 'node:module';
import MiniSearch from 'minisearch';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import type { SearchResult } from '../../src/api.ts';
import { search } from '../../src/search/index.ts';
import { searchWorld } from '../../tests/helpers/search-world.ts';
import { DocumentsInMemory } from '../../tests/projections/text/documents-in-memory.ts';

/** The ids that one row stands for: the one shown, then the parts it lists. */
export type ResultRow = readonly string[];

/** Rows, best first, at most `limit`. */
export type Search = (query: string, limit: number) => Promise<ResultRow[]> | ResultRow[];

export type Searching = (documents: readonly MemoryDocument[]) => Search;

const RRF_K = 60;
const RRF_DEPTH = 200;

/** The product's search over documents in memory: each workdir is a project, all are searched, at a time after the last. */
export function hybrid(documents: readonly MemoryDocument[]): Search {
  const last = documents.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0);
  const world = searchWorld(new DocumentsInMemory(documents), () => last);
  return searching(world, documents);
}

/** The product's words without its vectors. */
export function words(documents: readonly MemoryDocument[]): Search {
  const world = searchWorld(new DocumentsInMemory(documents));
  return searching({ ...world, vectors: null }, documents);
}

export function vectorsAlone(documents: readonly MemoryDocument[]): Search {
  const world = searchWorld(new DocumentsInMemory(documents));
  return async (query, limit) => {
    const { nearest } = await world.vectors!.search(projectsOf(documents), () => query, limit);
    return nearest.map(({ id }) => [id]);
  };
}

/** Each list contributes 1 / (60 + rank). */
export function reciprocalRankFusion(documents: readonly MemoryDocument[]): Search {
  const lists = [words(documents), vectorsAlone(documents)];
  return async (query, limit) => {
    const scores = new Map<string, number>();
    for (const list of lists)
      for (const [rank, [id]] of (await list(query, RRF_DEPTH)).entries())
        scores.set(id!, (scores.get(id!) ?? 0) + 1 / (RRF_K + rank + 1));
    return [...scores]
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([id]) => [id]);
  };
}

function searching(world: Parameters<typeof search>[0], documents: readonly MemoryDocument[]): Search {
  const projects = projectsOf(documents);
  return async (query, limit) => (await search(world, projects, query, { limit })).results.map(rowOf);
}

/** A folded result counts as all that it lists. */
export function rowOf({ id, parts }: Pick<SearchResult, 'id' | 'parts'>): ResultRow {
  return [id, ...parts.map((part) => part.id)];
}

function projectsOf(documents: readonly MemoryDocument[]) {
  const workdirs = [...new Set(documents.map(({ workdir }) => workdir))];
  return workdirs.map((workdir) => ({ id: workdir, name: workdir, workdirs: [workdir] }));
}

export function miniSearchDefaults(documents: readonly MemoryDocument[]): Search {
  const index = new MiniSearch<MemoryDocument>({
    fields: ['title', 'body', 'files'],
    extractField: (document, field) => String(document[field as 'id' | 'title' | 'body' | 'files']),
  });
  index.addAll(documents);
  return (query, limit) =>
    index
      .search(query)
      .slice(0, limit)
      .map(({ id }) => [id as string]);
}

/** The part of node-sqlite3-wasm that is used here; the package has no types. */
interface Sqlite {
  run(sql: string, values?: readonly (string | number)[]): unknown;
  all(sql: string, values?: readonly (string | number)[]): { readonly id: string }[];
}

export function fts5Porter(documents: readonly MemoryDocument[]): Search {
  const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm') as { Database: new () => Sqlite };
  const database = new Database();
  database.run(
    "CREATE VIRTUAL TABLE docs USING fts5(id UNINDEXED, title, body, files, tokenize='porter unicode61')",
  );
  database.run('BEGIN');
  for (const document of documents)
    database.run('INSERT INTO docs VALUES (?, ?, ?, ?)', [
      document.id,
      document.title,
      document.body,
      document.files.join('\n'),
    ]);
  database.run('COMMIT');
  return (query, limit) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    const match = words.map((word) => `"${word}"`).join(' OR ');
    return database
      .all('SELECT id FROM docs WHERE docs MATCH ? ORDER BY bm25(docs) LIMIT ?', [match, limit])
      .map(({ id }) => [id]);
  };
}
