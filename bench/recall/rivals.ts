// What our search is measured against, on the same documents: MiniSearch with its own defaults, and SQLite's
// FTS5 with the porter tokenizer. Both get title, body, files and the query's words joined by OR.
import { createRequire } from 'node:module';
import MiniSearch from 'minisearch';
import type { MemoryDocument } from '../../projections/memory/document.ts';
import { type Partition, TextIndex } from '../../projections/text-index/index.ts';
import { DocumentsInMemory } from '../../tests/projections/text-index/documents-in-memory.ts';

/** Ids, best first, at most `limit`. */
export type Search = (query: string, limit: number) => Promise<string[]> | string[];

/** The product's text index over documents in memory: every place a project, all of them searched. */
export function ours(documents: readonly MemoryDocument[]): Search {
  const places = [...new Set(documents.map(({ place }) => place))];
  const partitions: Partition[] = places.map((place) => ({ id: place, places: [place] }));
  const index = new TextIndex(new DocumentsInMemory(documents), null);
  return async (query, limit) =>
    (await index.search(partitions, query)).hits.slice(0, limit).map(({ id }) => id);
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
      .map(({ id }) => id as string);
}

/** The part of node-sqlite3-wasm that is used here; the package brings no types. */
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
      .map(({ id }) => id);
  };
}
