// The order of what words and vectors found, and how sure it is that anything of it fits.
import type { Partition, TextAnswer, TextHit } from '../../projections/text-index/index.ts';
import type { VectorIndex } from '../../projections/vectors/index.ts';
import { confidence, evidenceOf } from './confidence.ts';
import { type Fused, fuse, type Ranked } from './fusion.ts';
import { heldIn } from './held.ts';
import { namedIn, without } from './named.ts';
import type { Rows } from './rows.ts';
import type { TimeSpan } from './time-words.ts';
import { DEPTH } from './weights.ts';

export interface Order extends Pick<TextAnswer, 'own'> {
  readonly fused: Fused;
  readonly degraded: readonly string[];
  /** As `confidence` gives it; null where there is nothing to measure it by. */
  readonly confidenceOf: (rows: Rows, times: readonly TimeSpan[]) => number | null;
  readonly heldIn: (text: string) => number;
}

const UNMEASURED = { confidenceOf: () => null, heldIn: () => 0 };

/** The fused order, or without vectors that of the words. */
export async function rank(
  vectors: Pick<VectorIndex, 'search'> | null,
  projects: readonly (Partition & { readonly name: string })[],
  query: string,
  text: TextAnswer,
): Promise<Order> {
  const { own } = text;
  const wordsOnly = (hit: TextHit): Ranked => ({ ...hit, shares: null });
  if (vectors === null)
    return {
      fused: { best: text.hits.map(wordsOnly), others: () => text.others().map(wordsOnly) },
      degraded: ['Nothing makes vectors here: this is what the words alone found.'],
      ...UNMEASURED,
      own,
    };
  if (text.terms.length === 0)
    return { fused: { best: [], others: () => [] }, degraded: [], ...UNMEASURED, own };
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
  // Without all vectors it cannot be said.
  const isTelling = near.searched.length === projects.length;
  return {
    fused: fuse(text, near, named),
    degraded: near.degraded,
    confidenceOf: (rows, times) =>
      isTelling ? confidence(evidenceOf(rows, query, agents, times, text, near)) : null,
    heldIn: heldIn(text, near),
    own,
  };
}
