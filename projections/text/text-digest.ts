// The digest of a text index: a hash of its content and of its answers to fifty queries drawn from the documents. The
// digest does not depend on the order in which documents were added and removed.
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

/** Adds a project's index to a hash. The queries are drawn from `documents`, not from the index. */
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
    // Query the index as it serves, not the compacted copy.
    const { hits } = rankText([{ id, content }], [...new Set(termsOf(query))], ANSWERS);
    hash.update(`${JSON.stringify([query, hits.map(({ id, score }) => ({ id, score }))])}\n`);
  }
}

/** Some words of each of fifty documents, spread evenly over the ids; every fifth query has its words cut short. */
function drawQueries(documents: readonly MemoryDocument[]): string[] {
  const sorted = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1));
  const count = Math.min(QUERIES, sorted.length);
  return Array.from({ length: count }, (_, index) => {
    const document = sorted[Math.floor((index * sorted.length) / count)]!;
    const words = wordSpans(FIELD_NAMES.map((field) => fieldText(document, field)).join('\n'));
    const step = Math.max(1, Math.floor(words.length / QUERY_WORDS));
    const chosen = Array.from({ length: QUERY_WORDS }, (_, n) => words[n * step]?.word ?? '');
    return (index % 5 === 0 ? chosen.map((word) => word.slice(0, -1)) : chosen).join(' ').trim();
  });
}
