// From a query to results: the text index ranks, the documents are read best first until enough of them pass
// the filters, each with a snippet that shows why. Nothing here writes.
import type { MemoryDocument } from '../../projections/index.ts';
import type { DocumentSource, Partition, TextHit, TextIndex } from '../../projections/text-index/index.ts';
import type { SearchAnswer, SearchOptions, SearchResult } from '../api.ts';
import { filterOf } from './filter.ts';
import { parseQuery } from './query.ts';
import { oneLine, snippet } from './snippet.ts';

/** A project that may be searched: its documents' places, and the name people know it by. */
export interface SearchedProject extends Partition {
  readonly name: string;
}

export interface SearchWorld {
  readonly index: Pick<TextIndex, 'search'>;
  readonly documents: Pick<DocumentSource, 'getMany'>;
  /** Unix ms, for times like `7d`. */
  now(): number;
}

export const LIMIT_DEFAULT = 10;
export const LIMIT_MAX = 1_000;
/** Documents read at a time: enough for most searches, and more with each round when a filter passes few. */
const FIRST_PAGE = 32;

/**
 * @param projects those that `options.project` names, or all
 * @throws AnnalsError USAGE: an empty query, a time or a limit that is none
 */
export async function search(
  world: SearchWorld,
  projects: readonly SearchedProject[],
  input: string,
  options: Omit<SearchOptions, 'project'> = {},
): Promise<Omit<SearchAnswer, 'ms'>> {
  const query = parseQuery(input);
  const passes = filterOf(options, world.now());
  const limit = Math.min(Math.max(1, Math.floor(options.limit ?? LIMIT_DEFAULT)), LIMIT_MAX);
  const { hits, terms, degraded } = await world.index.search(projects, query.text);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const results: SearchResult[] = [];
  let page = Math.max(FIRST_PAGE, limit);
  for (let from = 0; from < hits.length && results.length < limit; from += page, page *= 2) {
    const ranked = hits.slice(from, from + page);
    const documents = await world.documents.getMany(ranked.map(({ id }) => id));
    for (const [index, hit] of ranked.entries()) {
      const document = documents[index];
      if (document === undefined || !passes(document)) continue;
      results.push(resultOf(document, hit, names.get(hit.partition) ?? '', query.text));
      if (results.length === limit) break;
    }
  }
  const empty = terms.length === 0 ? ['The query holds only words that are too common to search for.'] : [];
  return { results, degraded: [...query.degraded, ...degraded, ...empty] };
}

function resultOf(document: MemoryDocument, hit: TextHit, project: string, query: string): SearchResult {
  return {
    id: document.id,
    kind: document.kind,
    type: document.type,
    title: oneLine(document.title),
    project,
    session: document.session,
    at: isoTime(document.at),
    score: hit.score,
    snippet: snippet(document, query),
    tokens: document.tokens,
  };
}

/** Null too for a number that is no time: an agent's clock may say anything. */
function isoTime(at: number | null): string | null {
  return at === null || Number.isNaN(new Date(at).getTime()) ? null : new Date(at).toISOString();
}
