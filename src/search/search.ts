// From a query to results: words and vectors rank, the best documents are read and looked at once more, then read
// best first until enough of them pass the filters, each with a snippet that shows why. Nothing here writes.
import type { MemoryDocument } from '../../projections/index.ts';
import type {
  DocumentSource,
  Partition,
  TextAnswer,
  TextHit,
  TextIndex,
} from '../../projections/text-index/index.ts';
import type { VectorIndex } from '../../projections/vectors/index.ts';
import type { SearchAnswer, SearchOptions, SearchResult } from '../api.ts';
import { filterOf } from './filter.ts';
import { byScore, type Fused, fuse, type Ranked, raised } from './fusion.ts';
import { namedIn, without } from './named.ts';
import { pairShare } from './pairs.ts';
import { parseQuery } from './query.ts';
import { oneLine, snippet } from './snippet.ts';
import { DEPTH, READ } from './weights.ts';

/** A project that may be searched: its documents' places, and the name people know it by. */
export interface SearchedProject extends Partition {
  readonly name: string;
}

export interface SearchWorld {
  readonly index: Pick<TextIndex, 'search'>;
  /** null where nothing makes vectors: then words alone rank. */
  readonly vectors: Pick<VectorIndex, 'search'> | null;
  readonly documents: Pick<DocumentSource, 'getMany'>;
  /** Unix ms, for times like `7d`. */
  now(): number;
}

export const LIMIT_DEFAULT = 10;
export const LIMIT_MAX = 1_000;

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
  const text = await world.index.search(projects, query.text, DEPTH);
  const { best, others, degraded } = await rank(world, projects, query.text, text);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const results: SearchResult[] = [];
  const take = (page: readonly Found[]) => {
    for (const { document, ranked: found } of page) {
      if (results.length === limit) return;
      if (passes(document)) results.push(resultOf(document, found, names, query.text, options.explain));
    }
  };
  take(await closerLook(world, best.slice(0, READ), query.text));
  // More with each round: a filter may pass few.
  let ranked = best;
  for (let from = READ, page = READ; results.length < limit; from += page, page *= 2) {
    if (from + page > best.length && ranked === best) ranked = [...best, ...others()];
    if (from >= ranked.length) break;
    take(await read(world, ranked.slice(from, from + page)));
  }
  const empty =
    text.terms.length === 0 ? ['The query holds only words that are too common to search for.'] : [];
  return { results, degraded: [...query.degraded, ...text.degraded, ...degraded, ...empty] };
}

interface Found {
  readonly document: MemoryDocument;
  readonly ranked: Ranked;
}

/** The fused order, or without vectors that of the words. */
async function rank(
  { vectors }: SearchWorld,
  projects: readonly SearchedProject[],
  query: string,
  text: TextAnswer,
): Promise<Fused & { readonly degraded: readonly string[] }> {
  const wordsOnly = (hit: TextHit): Ranked => ({ ...hit, shares: null });
  if (vectors === null)
    return {
      best: text.hits.map(wordsOnly),
      others: () => text.others().map(wordsOnly),
      degraded: ['Nothing makes vectors here: this is what the words alone found.'],
    };
  if (text.terms.length === 0) return { best: [], others: () => [], degraded: [] };
  let agents: readonly string[] = [];
  const partitions = projects.filter(({ name }) => namedIn(query, [name]).length > 0);
  const textOf = (known: ReadonlySet<string>) => {
    agents = namedIn(query, known);
    return without(query, [...agents, ...partitions.map(({ name }) => name)]);
  };
  const near = await vectors.search(projects, textOf, DEPTH);
  const one = agents.length + partitions.length === 1;
  const named = {
    agent: one ? (agents[0] ?? null) : null,
    partition: one ? (partitions[0]?.id ?? null) : null,
  };
  return { ...fuse(text, near, named), degraded: near.degraded };
}

/** The best, read whole and put in order again with what only the text shows. */
async function closerLook(world: SearchWorld, best: readonly Ranked[], query: string): Promise<Found[]> {
  const share = pairShare(query);
  const found = await read(world, best);
  return found
    .map(({ document, ranked }) => ({ document, ranked: raised(ranked, share(document)) }))
    .sort((a, b) => byScore(a.ranked, b.ranked));
}

/** Those of the documents that are still there. */
async function read({ documents }: SearchWorld, ranked: readonly Ranked[]): Promise<Found[]> {
  const there = await documents.getMany(ranked.map(({ id }) => id));
  return ranked.flatMap((one, index) => {
    const document = there[index];
    return document === undefined ? [] : [{ document, ranked: one }];
  });
}

function resultOf(
  document: MemoryDocument,
  { score, shares, partition }: Ranked,
  names: ReadonlyMap<string, string>,
  query: string,
  explain = false,
): SearchResult {
  return {
    id: document.id,
    kind: document.kind,
    type: document.type,
    title: oneLine(document.title),
    project: names.get(partition) ?? '',
    session: document.session,
    at: isoTime(document.at),
    score,
    snippet: snippet(document, query),
    tokens: document.tokens,
    ...(explain ? { shares } : {}),
  };
}

/** Null too for a number that is no time: an agent's clock may say anything. */
function isoTime(at: number | null): string | null {
  return at === null || Number.isNaN(new Date(at).getTime()) ? null : new Date(at).toISOString();
}
