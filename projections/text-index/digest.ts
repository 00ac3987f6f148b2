// What a text index comes to, as one hash: what it holds of every document, and its answers to fifty queries
// drawn from the rows. Two indexes with the same digest give the same answers, whatever order their documents
// came in, however often some of them came and went.
import { createHash } from 'node:crypto';
import type { MemoryDocument } from '../memory/document.ts';
import type { PartitionIndex } from './partition-index.ts';
import { FIELD_NAMES, fieldText, RECIPE_VERSION } from './recipe.ts';
import { termsOf, wordsOf } from './terms.ts';

const QUERIES = 50;
const ANSWERS = 10;
const QUERY_WORDS = 4;

/** `documents` are the rows, in any order: the queries are drawn from them, not from the index. */
export function textDigest(index: PartitionIndex, documents: readonly MemoryDocument[]): string {
  const hash = createHash('sha256').update(`recipe ${RECIPE_VERSION}\n`);
  for (const line of contentLines(index)) hash.update(`${line}\n`);
  const all = {
    documents: index.documentCount,
    averages: index.averages,
    count: (term: string, field: (typeof FIELD_NAMES)[number]) => index.frequency(term, field),
  };
  for (const query of drawQueries(documents)) {
    const terms = [...new Set(termsOf(query))];
    hash.update(`${JSON.stringify([query, index.hits(terms, all).slice(0, ANSWERS)])}\n`);
  }
  return hash.digest('hex');
}

/** The averages, each document's lengths and each term's documents, all by id. */
function* contentLines(index: PartitionIndex): Generator<string> {
  const { averages, ids, lengths, terms } = index.contents();
  yield JSON.stringify([averages, byId(lengths, ids)]);
  for (const [term, fields] of [...terms].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const ordered = [...fields].sort(([a], [b]) => a - b);
    yield JSON.stringify([term, ordered.map(([field, counts]) => [field, byId(counts, ids)])]);
  }
}

function byId<T>(values: ReadonlyMap<number, T>, ids: ReadonlyMap<number, string>): [string, T][] {
  return Array.from(values, ([number, value]): [string, T] => [ids.get(number)!, value]).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
}

/** Fifty documents spread evenly over the ids; of each some words, every fifth time with one of them cut short. */
function drawQueries(documents: readonly MemoryDocument[]): string[] {
  const sorted = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1));
  const count = Math.min(QUERIES, sorted.length);
  return Array.from({ length: count }, (_, turn) => {
    const document = sorted[Math.floor((turn * sorted.length) / count)]!;
    const words = wordsOf(FIELD_NAMES.map((field) => fieldText(document, field)).join('\n'));
    const step = Math.max(1, Math.floor(words.length / QUERY_WORDS));
    const chosen = Array.from({ length: QUERY_WORDS }, (_, n) => words[n * step]?.word ?? '');
    return (turn % 5 === 0 ? chosen.map((word) => word.slice(0, -1)) : chosen).join(' ').trim();
  });
}
