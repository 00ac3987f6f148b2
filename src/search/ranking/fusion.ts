// Fuses what the words found and what the vectors found into one order. Both lists are taken 200 deep and scaled to
// 0…1 each; properties of the document (its session, whose it is, its length, whether it is a question) add their
// shares. What the words found below that depth follows in its own order, so that a filter that passes few documents
// still finds them.
import type { TextAnswer } from '../../../projections/text/index.ts';
import { nameAt, type Place, placeOf, type VectorAnswer } from '../../../projections/vectors/index.ts';
import type { QueryForm } from './query-form.ts';
import { sessionScores } from './session-prior.ts';
import { termCoverageOf } from './term-coverage.ts';
import { COSINE_MIN, DEPTH, LENGTH_TOKENS, WEIGHTS } from './weights.ts';

/** What each part contributes to a score; the score is their sum. */
export type Shares = Readonly<
  Record<Exclude<keyof typeof WEIGHTS.question, 'sessionWords' | 'sessionMeaning'> | 'session', number>
>;

export interface Ranked {
  readonly id: string;
  readonly projectIndex: string;
  readonly score: number;
  /** null for documents that only words found, below the fused depth. */
  readonly shares: Shares | null;
}

/** The one agent or the one project index that a query names. */
export interface NamedInQuery {
  readonly agent: string | null;
  readonly projectIndex: string | null;
}

interface Candidate {
  readonly id: string;
  readonly projectIndex: string;
  words: number;
  meaning: number;
  /** Where its vector is in that project index; null if it has none; undefined until it is looked up. */
  place?: Place | null;
}

export interface Fused {
  /** The fused candidates, best first, ties by id. */
  readonly best: readonly Ranked[];
  /** All other documents that words found, in the words' order; computed only when too few of the best pass. */
  readonly others: () => readonly Ranked[];
}

/** Fuses the results of both indexes. */
export function fuse(text: TextAnswer, vectors: VectorAnswer, named: NamedInQuery, form: QueryForm): Fused {
  const weights = WEIGHTS[form];
  const placed = placing(vectors);
  const candidates = candidatesOf(text, vectors);
  const sessionOf = (candidate: Candidate) => {
    const place = placed(candidate);
    return place === null ? undefined : nameAt(place.columns.sessions, place.row);
  };
  const prior = sessionScores(vectors.searched, text.own.terms);
  const nearest = nearestOf(candidates.values(), sessionOf);
  const termCoverage = termCoverageOf(text, vectors);
  const fused = [...candidates.values()].map((candidate): Ranked => {
    const { id, projectIndex, words, meaning } = candidate;
    const place = placed(candidate);
    const own = sessionOf(candidate) ?? '';
    const isNamed =
      projectIndex === named.projectIndex ||
      (place !== null && nameAt(place.columns.agents, place.row) === named.agent);
    const shares: Shares = {
      words: weights.words * words,
      meaning: weights.meaning * meaning,
      session:
        weights.sessionWords * (prior.get(own) ?? 0) + weights.sessionMeaning * (nearest.get(own) ?? 0),
      termCoverage: weights.termCoverage * termCoverage(id, projectIndex),
      named: isNamed ? weights.named : 0,
      length: weights.length * Math.min(1, (place?.columns.tokens[place.row] ?? 0) / LENGTH_TOKENS),
      questionPenalty: place?.columns.isQuestion[place.row] === 1 ? -weights.questionPenalty : 0,
      bigrams: 0,
      answering: 0,
      answerKind: 0,
      nearby: 0,
      time: 0,
    };
    return { id, projectIndex, score: total(shares), shares };
  });
  fused.sort(byScore);
  const lowest = Math.min(0, fused.at(-1)?.score ?? 0);
  const others = () => {
    const rest = [...text.hits.slice(DEPTH), ...text.others()].filter(({ id }) => !candidates.has(id));
    const highest = rest[0]?.score ?? 1;
    return rest.map(({ id, projectIndex, score }): Ranked => {
      return { id, projectIndex, score: rounded(lowest - 1 + score / highest), shares: null };
    });
  };
  return { best: fused, others };
}

/** The shares that only reranking adds. */
export type RerankShares = Partial<Pick<Shares, 'bigrams' | 'answering' | 'answerKind' | 'nearby' | 'time'>>;

/** The same document with more shares. */
export function raised(ranked: Ranked, added: RerankShares): Ranked {
  if (ranked.shares === null) return ranked;
  const shares = { ...ranked.shares, ...added };
  return { ...ranked, shares, score: total(shares) };
}

export function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}

function candidatesOf(text: TextAnswer, vectors: VectorAnswer): ReadonlyMap<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  const found = text.hits.slice(0, DEPTH);
  const words = leastToMost(found.map(({ score }) => score));
  found.forEach(({ id, projectIndex }, index) => {
    candidates.set(id, { id, projectIndex, words: words[index]!, meaning: 0 });
  });
  const near = vectors.nearest.filter(({ score }) => score >= COSINE_MIN).slice(0, DEPTH);
  const meanings = leastToMost(near.map(({ score }) => score));
  near.forEach(({ id, projectIndex, place }, index) => {
    const candidate: Candidate = candidates.get(id) ?? { id, projectIndex, words: 0, meaning: 0 };
    candidate.meaning = meanings[index]!;
    if (candidate.projectIndex === projectIndex) candidate.place = place;
    candidates.set(id, candidate);
  });
  return candidates;
}

/** Session → the meaning of its nearest document, 0…1. A mean would penalise long sessions, which hold much else. */
function nearestOf(
  candidates: Iterable<Candidate>,
  sessionOf: (candidate: Candidate) => string | undefined,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const candidate of candidates) {
    const session = sessionOf(candidate);
    if (session !== undefined) found.set(session, Math.max(found.get(session) ?? 0, candidate.meaning));
  }
  return found;
}

/** Scales descending values to 1…0. A list cut at its depth ends at 0; a shorter one ends at the ratio of its last to its first. */
function leastToMost(values: readonly number[]): number[] {
  const first = values[0] ?? 0;
  const last = values.length < DEPTH ? 0 : values.at(-1)!;
  return values.map((value) => (first > last ? (value - last) / (first - last) : 1));
}

/** Where the vector of a document is in the project where it was found. */
function placing({ searched }: VectorAnswer): (candidate: Candidate) => Place | null {
  const contents = new Map(searched.map(({ projectIndex, content }) => [projectIndex, content]));
  return (candidate) => {
    if (candidate.place === undefined) {
      const content = contents.get(candidate.projectIndex);
      candidate.place = content === undefined ? null : placeOf(content, candidate.id);
    }
    return candidate.place;
  };
}

function total(shares: Shares): number {
  let sum = 0;
  for (const part in shares) sum += shares[part as keyof Shares];
  return rounded(sum);
}

/** Rounds to nine digits, as the words' scores are, so that the order of additions never shows. */
function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9;
}
