// Orders what words and vectors found, and estimates the confidence of the answer.
import type { ProjectIndex, TextAnswer, TextHit } from '../../../projections/text/index.ts';
import type { VectorAnswer, VectorIndex } from '../../../projections/vectors/index.ts';
import { namedIn, withoutNames } from '../query/named-in-query.ts';
import type { TimeSpan } from '../query/time-words.ts';
import { confidence, evidenceIn, evidenceOf } from './confidence.ts';
import type { FoundDocument } from './found-documents.ts';
import { type Fused, fuse, type Ranked } from './fusion.ts';
import { type QueryForm, queryFormOf } from './query-form.ts';
import type { ResultRows } from './result-rows.ts';
import { termCoverageIn } from './term-coverage.ts';
import { DEPTH } from './weights.ts';

/** Saved memories have the product's name as their agent; in a query it names none. */
const OF_MEMORIES = 'annals';

export interface RankedResults extends Pick<TextAnswer, 'own'> {
  readonly form: QueryForm;
  readonly fused: Fused;
  readonly degraded: readonly string[];
  /** The value of `confidence`; null if there is nothing to measure it by. */
  readonly confidenceOf: (rows: ResultRows, times: readonly TimeSpan[]) => number | null;
  /** The same for one document alone. */
  readonly confidenceIn: (found: FoundDocument, times: readonly TimeSpan[]) => number | null;
  readonly termCoverageIn: (text: string) => number;
  /** The number of documents in a project index, as far as it is known. */
  readonly documentsIn: (projectIndex: string) => number;
  /** What the vectors found; null unless every project has its vectors. */
  readonly near: VectorAnswer | null;
}

const UNMEASURED = {
  confidenceOf: () => null,
  confidenceIn: () => null,
  termCoverageIn: () => 0,
  documentsIn: () => 0,
  near: null,
};

/** The fused order, or the words' order if there are no vectors. */
export async function rankResults(
  vectors: Pick<VectorIndex, 'search'> | null,
  projects: readonly (ProjectIndex & { readonly name: string })[],
  query: string,
  text: TextAnswer,
): Promise<RankedResults> {
  const { own } = text;
  const form = queryFormOf(query);
  const wordsOnly = (hit: TextHit): Ranked => ({ ...hit, shares: null });
  if (vectors === null)
    return {
      fused: { best: text.hits.map(wordsOnly), others: () => text.others().map(wordsOnly) },
      degraded: ['There are no vectors here, so results are ranked by words alone.'],
      ...UNMEASURED,
      own,
      form,
    };
  if (text.terms.length === 0)
    return { fused: { best: [], others: () => [] }, degraded: [], ...UNMEASURED, own, form };
  let agents: readonly string[] = [];
  const projectIndexes = projects.filter(({ name }) => namedIn(query, [name]).length > 0);
  const textOf = (known: ReadonlySet<string>) => {
    agents = namedIn(query, known).filter((name) => name !== OF_MEMORIES);
    return withoutNames(query, [...agents, ...projectIndexes.map(({ name }) => name)]);
  };
  const near = await vectors.search(projects, textOf, DEPTH);
  const one = agents.length + projectIndexes.length === 1;
  const named = {
    agent: one ? (agents[0] ?? null) : null,
    projectIndex: one ? (projectIndexes[0]?.id ?? null) : null,
  };
  // Confidence is only known when every project has its vectors.
  const hasAllVectors = near.searched.length === projects.length;
  return {
    fused: fuse(text, near, named, form),
    degraded: near.degraded,
    confidenceOf: (rows, times) =>
      hasAllVectors ? confidence(evidenceOf(rows, { query, agents, times, text, vectors: near })) : null,
    confidenceIn: (found, times) =>
      hasAllVectors ? confidence(evidenceIn(found, { query, agents, times, text, vectors: near })) : null,
    termCoverageIn: termCoverageIn(text, near),
    documentsIn: (id) => near.searched.find(({ projectIndex }) => projectIndex === id)?.content.rows ?? 0,
    near: hasAllVectors ? near : null,
    own,
    form,
  };
}
