// What a text index comes to, as one hash: what it holds of every document, and its answers to fifty queries
// drawn from the rows. Two indexes with the same digest give the same answers, whatever order their documents
// came in, however often some of them came and went.
import type { Hash } from 'node:crypto';
import type { MemoryDocument } from '../documents/document.ts';
import { arrayBytes } from '../project-indexes/index.ts';
import { rankText } from './rank-text.ts';
import { termsOf, wordSpans } from './terms.ts';
import type { TextContent } from './text-content.ts';
import { TEXT_KIND } from './text-kind.ts';
import { FIELD_NAMES, fieldText, RECIPE_VERSION } from './text-recipe.ts';

const QUERIES = 50;
const ANSWERS = 10;
const QUERY_WORDS = 4;

/** Adds a project's index to a hash. `documents` are the rows: the queries are drawn from them, not from the index. */
export async function digestText(
  hash: Hash,
  id: string,
  content: TextContent,
  documents: readonly MemoryDocument[],
): Promise<void> {
  const columns = await TEXT_KIND.compact(content, async () => undefined);
  const { head, arrays } = TEXT_KIND.write(columns);
  hash.update(`recipe ${RECIPE_VERSION} of ${id}\n${JSON.stringify(head)}\n`);
  for (const array of arrays) hash.update(arrayBytes(array));
  for (const query of drawQueries(documents)) {
    // As it serves, not as it was packed.
    const { hits } = rankText([{ id, content }], [...new Set(termsOf(query))], ANSWERS);
    hash.update(`${JSON.stringify([query, hits.map(({ id, score }) => ({ id, score }))])}\n`);
  }
}

/** Fifty documents spread evenly over the ids; of each some words, every fifth time with one of them cut short. */
function drawQueries(documents: readonly MemoryDocument[]): string[] {
  const sorted = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1));
  const count = Math.min(QUERIES, sorted.length);
  return Array.from({ length: count }, (_, turn) => {
    const document = sorted[Math.floor((turn * sorted.length) / count)]!;
    const words = wordSpans(FIELD_NAMES.map((field) => fieldText(document, field)).join('\n'));
    const step = Math.max(1, Math.floor(words.length / QUERY_WORDS));
    const chosen = Array.from({ length: QUERY_WORDS }, (_, n) => words[n * step]?.word ?? '');
    return (turn % 5 === 0 ? chosen.map((word) => word.slice(0, -1)) : chosen).join(' ').trim();
  });
}
