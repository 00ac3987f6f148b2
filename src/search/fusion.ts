// From what the words found and what the vectors found to one order. Both lists are taken 200 deep and brought to
// 0…1 each; what a document is (its session, whose it is, its length, whether it asks) adds its share. What the
// words found deeper down follows in its own order, so that a filter that passes few still finds them.
import type { TextAnswer } from '../../projections/text-index/index.ts';
import type { VectorAnswer } from '../../projections/vectors/index.ts';
import { sessionPrior } from './session-prior.ts';
import { COSINE_MIN, DEPTH, LENGTH_TOKENS, WEIGHTS } from './weights.ts';

/** What each part gave to a score; together they are the score. */
export type Shares = Readonly<Record<keyof typeof WEIGHTS, number>>;

export interface Ranked {
  readonly id: string;
  readonly partition: string;
  readonly score: number;
  /** null for what only words found, below the depth that is fused. */
  readonly shares: Shares | null;
}

/** The one agent or the one project (its partition) that a query names. */
export interface Named {
  readonly agent: string | null;
  readonly partition: string | null;
}

interface Candidate {
  readonly id: string;
  readonly partition: string;
  words: number;
  meaning: number;
}

interface Place {
  readonly searched: VectorAnswer['searched'][number];
  readonly row: number;
}

export interface Fused {
  /** The best, best first, ties by id. */
  readonly best: readonly Ranked[];
  /** All others that words found, in the words' order: made when a filter passes too few of the best. */
  readonly others: () => readonly Ranked[];
}

/** All that was found. */
export function fuse(text: TextAnswer, vectors: VectorAnswer, named: Named): Fused {
  const places = placesOf(vectors);
  const candidates = candidatesOf(text, vectors);
  const sessionOf = (id: string) => {
    const place = places(id);
    return place?.searched.columns.sessions[place.row];
  };
  const prior = sessionPrior(vectors.searched, text.sessions);
  const fused = [...candidates.values()].map(({ id, partition, words, meaning }): Ranked => {
    const place = places(id);
    const session = prior.get(sessionOf(id) ?? '') ?? 0;
    const columns = place?.searched.columns;
    const row = place?.row ?? 0;
    const isNamed =
      partition === named.partition || (named.agent !== null && columns?.agents[row] === named.agent);
    const shares: Shares = {
      words: WEIGHTS.words * words,
      meaning: WEIGHTS.meaning * meaning,
      session: WEIGHTS.session * session,
      named: isNamed ? WEIGHTS.named : 0,
      length: WEIGHTS.length * Math.min(1, (columns?.tokens[row] ?? 0) / LENGTH_TOKENS),
      asking: columns?.asks[row] === 1 ? -WEIGHTS.asking : 0,
      pairs: 0,
    };
    return { id, partition, score: total(shares), shares };
  });
  fused.sort(byScore);
  const lowest = Math.min(0, fused.at(-1)?.score ?? 0);
  const others = () => {
    const rest = [...text.hits.slice(DEPTH), ...text.others()].filter(({ id }) => !candidates.has(id));
    const best = rest[0]?.score ?? 1;
    return rest.map(({ id, partition, score }): Ranked => {
      return { id, partition, score: rounded(lowest - 1 + score / best), shares: null };
    });
  };
  return { best: fused, others };
}

/** The same with one more share. */
export function raised(ranked: Ranked, pairs: number): Ranked {
  if (ranked.shares === null || pairs === 0) return ranked;
  const shares = { ...ranked.shares, pairs: WEIGHTS.pairs * pairs };
  return { ...ranked, shares, score: total(shares) };
}

export function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}

function candidatesOf(text: TextAnswer, vectors: VectorAnswer): ReadonlyMap<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  const found = text.hits.slice(0, DEPTH);
  const words = leastToMost(found.map(({ score }) => score));
  found.forEach(({ id, partition }, index) => {
    candidates.set(id, { id, partition, words: words[index]!, meaning: 0 });
  });
  const near = vectors.nearest.filter(({ score }) => score >= COSINE_MIN).slice(0, DEPTH);
  const meanings = leastToMost(near.map(({ score }) => score));
  near.forEach(({ id, partition }, index) => {
    const candidate = candidates.get(id) ?? { id, partition, words: 0, meaning: 0 };
    candidate.meaning = meanings[index]!;
    candidates.set(id, candidate);
  });
  return candidates;
}

/** Descending values to 1…0: a list cut at its depth ends at 0, a shorter one ends where its last stands to its first. */
function leastToMost(values: readonly number[]): number[] {
  const first = values[0] ?? 0;
  const last = values.length < DEPTH ? 0 : values.at(-1)!;
  return values.map((value) => (first > last ? (value - last) / (first - last) : 1));
}

/** Where a document stands in the columns, by binary search: ids are in order. */
function placesOf({ searched }: VectorAnswer): (id: string) => Place | undefined {
  const known = new Map<string, Place | undefined>();
  return (id) => {
    if (known.has(id)) return known.get(id);
    let place: Place | undefined;
    for (const one of searched) {
      const row = rowOf(one.columns.ids, id);
      if (row >= 0) place = { searched: one, row };
    }
    known.set(id, place);
    return place;
  };
}

function rowOf(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = ids[middle]!;
    if (there === id) return middle;
    if (there < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function total(shares: Shares): number {
  return rounded(Object.values(shares).reduce((sum, share) => sum + share, 0));
}

/** To nine digits, as the words' scores are: the order of additions must never show. */
function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9;
}
