// From a query to results: words and vectors rank, the best documents are read and reranked, then read best first until
// enough of them pass the filters, each with a snippet that shows why it was found. Without words: the newest that
// pass. Nothing here writes.
import { type MemoryDocument, recentDocument } from '../../projections/index.ts';
import { nextTurn } from '../../projections/project-indexes/index.ts';
import type { DocumentSource, ProjectIndex, TextIndex } from '../../projections/text/index.ts';
import type { VectorIndex } from '../../projections/vectors/index.ts';
import type { SearchAnswer, SearchOptions, SearchResult } from '../api.ts';
import { statedNow } from './current-state.ts';
import { asksForDecisions, type Filter, filterOf } from './filter.ts';
import { allPassing, type NewestSource, newestPassing } from './newest.ts';
import { type Tense, tenseOf } from './present.ts';
import { noTermReason, parseQuery, type Query, refuseEmpty } from './query/query.ts';
import { type Condition, conditionsOf } from './query/query-conditions.ts';
import { candidates, holdsPhrase } from './query/query-phrase.ts';
import type { TimeSpan } from './query/time-words.ts';
import { type FoundDocument, readFound } from './ranking/found-documents.ts';
import type { Fused, Ranked } from './ranking/fusion.ts';
import { timesInQuery } from './ranking/query-times.ts';
import { type RankedResults, rankResults } from './ranking/rank-results.ts';
import { rerank } from './ranking/rerank.ts';
import { ResultRows } from './ranking/result-rows.ts';
import { CONFIDENCE, DEPTH, RERANKED_MAX } from './ranking/weights.ts';
import { resultOf, understood } from './result.ts';
import { states } from './statement.ts';
import { unknownValues } from './unknown-values.ts';

/** A project to search: its project index and its display name. */
export interface SearchedProject extends ProjectIndex {
  readonly name: string;
}

export interface SearchWorld extends Pick<NewestSource, 'recent'> {
  readonly index: Pick<TextIndex, 'search'>;
  /** null if there is no embedder: then words alone rank. */
  readonly vectors: Pick<VectorIndex, 'search'> | null;
  readonly documents: Pick<DocumentSource, 'getMany'>;
  /** The full id of a session. @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE */
  sessionId(given: string): Promise<string>;
  /** The document with what later work did to what it says. */
  noted(document: MemoryDocument): Promise<MemoryDocument>;
  /** Unix ms, for times like `7d`. */
  now(): number;
}

export const LIMIT_DEFAULT = 10;
export const LIMIT_MAX = 1_000;
/** How many documents may be read and rejected before all passing ids are loaded. */
const READ_IN_VAIN_MAX = 400;

export interface InnerSearchOptions extends SearchOptions {
  /** Leaves out documents that would not fit the query well as the only result. */
  readonly onlyFitting?: boolean;
}

type Answered = Pick<SearchAnswer, 'results' | 'lowConfidence' | 'degraded' | 'query' | 'hints'>;

/** A search in progress: the query and what may be shown. */
interface Asked {
  readonly world: SearchWorld;
  readonly projects: readonly SearchedProject[];
  readonly query: Query;
  readonly filter: Filter;
  /** Whether the document holds nothing that the query excludes. */
  readonly textPasses: (document: MemoryDocument) => boolean;
  /** The times that the query's words name. */
  readonly times: readonly TimeSpan[];
  readonly limit: number;
  readonly onlyFitting: boolean;
  readonly tense: Tense;
  /** Between two steps: whether somebody still waits for the answer. @throws the reason of the signal */
  readonly goOn: () => Promise<void>;
  readonly rows: () => ResultRows;
  readonly toResult: (row: Parameters<typeof resultOf>[0]) => Promise<SearchResult>;
}

/**
 * @param projects those that the options and the query name, or all
 * @throws AnnalsError USAGE: an empty query, an operator or an option with an invalid value; NOT_FOUND, AMBIGUOUS_ID: a
 * session; the reason of the signal
 */
export async function search(
  world: SearchWorld,
  projects: readonly SearchedProject[],
  input: string,
  options: InnerSearchOptions = {},
): Promise<Answered> {
  const query = parseQuery(input);
  const conditions = await withSessionIds([...query.conditions, ...conditionsOf(options)], world);
  if (query.text === '' && query.without.length === 0 && conditions.length === 0) refuseEmpty();
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const excluded = query.without.map(holdsPhrase);
  const goOn = async (): Promise<void> => {
    if (options.signal === undefined) return;
    await nextTurn();
    options.signal.throwIfAborted();
  };
  const limit = Math.min(Math.max(1, Math.floor(options.limit ?? LIMIT_DEFAULT)), LIMIT_MAX);
  const asked: Asked = {
    world: { ...world, recent: (workdirs, span) => eachAfter(goOn, world.recent(workdirs, span)) },
    projects,
    query,
    filter: filterOf(conditions, world.now()),
    textPasses: (document) => !excluded.some((holds) => holds(document)),
    times: timesInQuery(query.text, world.now()),
    limit,
    onlyFitting: options.onlyFitting === true,
    tense: tenseOf(query.text),
    goOn,
    rows: () => new ResultRows(limit, conditions),
    toResult: async ({ found, parts, nearDuplicates }) => {
      const noted = async <F extends { readonly document: MemoryDocument }>(one: F) => ({
        ...one,
        document: await world.noted(one.document),
      });
      // Only a result that states nothing itself shows what a part states.
      const shown = states(found.document) ? parts : await Promise.all(parts.map(noted));
      const row = { found: await noted(found), parts: shown, nearDuplicates };
      return resultOf(row, names, query, {
        explain: options.explain,
        asksForDecisions: asksForDecisions(conditions),
      });
    },
  };
  const { results, lowConfidence, degraded } = query.text === '' ? await listed(asked) : await ranked(asked);
  const workdirs = projects.flatMap((one) => one.workdirs);
  // What something was found by is known. To look for an excluded agent or concept would take longer than the search.
  const unchecked =
    results.length > 0 ? conditions.filter(({ field, not }) => not && field === 'type') : conditions;
  const hints = await unknownValues(unchecked, workdirs, asked.world);
  return {
    results,
    lowConfidence,
    ...(hints.length === 0 ? {} : { hints }),
    degraded: [...query.degraded, ...degraded],
    query: understood(query, conditions, asked.times),
  };
}

function withSessionIds(
  conditions: readonly Condition[],
  world: Pick<SearchWorld, 'sessionId'>,
): Promise<Condition[]> {
  return Promise.all(
    conditions.map(async (one) =>
      one.field === 'session' ? { ...one, value: await world.sessionId(String(one.value)) } : one,
    ),
  );
}

async function* eachAfter<T>(goOn: () => Promise<void>, pages: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const page of pages) {
    await goOn();
    yield page;
  }
}

async function listed(asked: Asked): Promise<Omit<Answered, 'query' | 'hints'>> {
  const { world, projects, filter, textPasses, limit, toResult, goOn } = asked;
  await goOn();
  const projectIndexes = new Map(
    projects.flatMap(({ id, workdirs }) => workdirs.map((workdir) => [workdir, id])),
  );
  const documents = await newestPassing(world, [...projectIndexes.keys()], filter, textPasses, limit);
  const found = documents.map((document) => {
    const projectIndex = projectIndexes.get(document.workdir) ?? '';
    const ranked = { id: document.id, projectIndex, score: 0, shares: null };
    return toResult({ found: { document, ranked }, parts: [], nearDuplicates: [] });
  });
  const results = await Promise.all(found);
  return { results, lowConfidence: false, degraded: [] };
}

async function ranked(asked: Asked): Promise<Omit<Answered, 'query' | 'hints'>> {
  const { world, projects, query, goOn } = asked;
  await goOn();
  const text = await world.index.search(projects, query.text, DEPTH);
  await goOn();
  const order = await rankResults(world.vectors, projects, query.text, text);
  const shown = (rows: ResultRows) => Promise.all(rows.shown.map(asked.toResult));
  const answer = async (rows: ResultRows, degraded: readonly string[]) => {
    const sureness = rows.all.length === 0 ? null : order.confidenceOf(rows, asked.times);
    return { results: await shown(rows), lowConfidence: !isSure(sureness), degraded };
  };
  const degraded = [...text.degraded, ...order.degraded];
  if (text.terms.length === 0) degraded.push(`The query ${noTermReason(query.text)}.`);
  const holding = candidates(query.phrases, text);
  const fits = (found: FoundDocument) => !asked.onlyFitting || isSure(order.confidenceIn(found, asked.times));
  if (holding === null) return answer(await best(asked, order, fits), degraded);
  const tests = query.phrases.map(holdsPhrase);
  const exact = await best(asked, { ...order, fused: among(order.fused, holding) }, ({ document }) =>
    tests.every((holds) => holds(document)),
  );
  if (exact.all.length > 0) return { results: await shown(exact), lowConfidence: false, degraded };
  const loose = await best(asked, order, fits);
  const absent = absentSentence(query.phrases, loose.all.length > 0);
  return answer(loose, [...degraded, absent]);
}

/** What cannot be measured counts as sure. */
function isSure(sureness: number | null): boolean {
  return sureness === null || sureness >= CONFIDENCE.min;
}

function among({ best, others }: Fused, ids: ReadonlySet<string>): Fused {
  const only = (ranked: readonly Ranked[]) => ranked.filter(({ id }) => ids.has(id));
  return { best: only(best), others: () => only(others()) };
}

/** A person who quotes a line of an output should not be told that it never was. */
const NOT_SEARCHED = 'What tools printed is not searched, except errors.';

/** Someone who quotes wants to know that the phrase occurs nowhere, and usually wants the nearest results then. */
function absentSentence(phrases: readonly string[], areWordsFound: boolean): string {
  const quoted = phrases.map((phrase) => `“${phrase}”`).join(' and ');
  return areWordsFound
    ? `Nothing that is searched holds ${quoted} exactly; these are the nearest results without the quotes. ${NOT_SEARCHED}`
    : `Nothing that is searched holds ${quoted}. ${NOT_SEARCHED}`;
}

/** The best documents that pass, in order. */
async function best(
  { world, projects, query, filter, textPasses, times, tense, goOn, rows }: Asked,
  order: RankedResults,
  isWanted: (found: FoundDocument) => boolean,
): Promise<ResultRows> {
  const { fused, termCoverageIn, own, form } = order;
  const taken = rows();
  const passes = (found: FoundDocument) =>
    (filter.isOpen || filter.passes(recentDocument(found.document))) &&
    textPasses(found.document) &&
    isWanted(found);
  const take = (page: readonly FoundDocument[]) => {
    for (const found of page) if (passes(found)) taken.add(found);
  };
  await goOn();
  const look = await rerank(world.documents, fused.best, {
    query: query.text,
    form,
    times,
    isDeep: tense !== null,
    termCoverageIn,
    own,
  });
  if (tense !== null) {
    const state = { index: world.index, source: world.documents, projects, order, passes, goOn };
    const stated = await statedNow(state, look.found.filter(passes), tense);
    if (stated !== null) taken.showAt(stated.place, stated.found);
  }
  take(look.found);
  let rest = look.rest;
  let hasOthers = false;
  let isKnown = filter.isOpen;
  // Pages double: a filter may pass few documents.
  for (let page = RERANKED_MAX, read = RERANKED_MAX; !taken.isFull; read += page, page *= 2) {
    const isFiltering = !isKnown && read >= READ_IN_VAIN_MAX;
    if (!hasOthers && (isFiltering || rest.length < page)) {
      rest = [...rest, ...fused.others()];
      hasOthers = true;
    }
    if (rest.length === 0) break;
    await goOn();
    if (isFiltering) {
      const workdirs = projects.flatMap(({ workdirs }) => workdirs);
      const passing = await allPassing(world, workdirs, filter);
      rest = rest.filter(({ id }) => passing.has(id));
      isKnown = true;
    }
    take(await readFound(world.documents, rest.slice(0, page)));
    rest = rest.slice(page);
  }
  return taken;
}
