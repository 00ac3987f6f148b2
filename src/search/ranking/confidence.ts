// How sure it is that anything found answers the query. A score only orders: the best of nothing stands as high as the
// best of much. This is absolute, and one measure for every size: what speaks for the first result, weighed, less what
// chance finds in so many documents. More of any part never makes it less sure, and more documents never make it surer.
import { type TextAnswer, termsOf } from '../../../projections/text/index.ts';
import type { VectorAnswer } from '../../../projections/vectors/index.ts';
import type { TimeSpan } from '../query/time-words.ts';
import { bigramShare } from './bigrams.ts';
import { timeShare, timeWordsIn } from './query-times.ts';
import type { ResultRows } from './result-rows.ts';
import { CONFIDENCE, OF_THEN, RARITY_PRIOR } from './weights.ts';

/** What is known of an answer. */
export interface AnswerEvidence {
  /**
   * How much of the query the first result holds in its own words, each by its rarity, 0…1. What happened at a time that
   * the query names holds the words of that time, because few texts say their own date.
   */
  readonly termCoverage: number;
  /** How much of the query nothing here holds, 0…1. */
  readonly unknown: number;
  /** The share of the query's neighbouring words that it holds as neighbours, 0…1. */
  readonly bigrams: number;
  /** How near the nearest of what was found is in meaning: a cosine. */
  readonly nearest: number;
  /** Whether the query names an agent, and the first result is of another. */
  readonly isOfAnother: boolean;
  /** How many documents were searched. */
  readonly documents: number;
}

/** Log odds that the first result is what was asked for; below `CONFIDENCE.min` the answer says that nothing fits. */
export function confidence({
  termCoverage,
  unknown,
  bigrams,
  nearest,
  isOfAnother,
  documents,
}: AnswerEvidence): number {
  return (
    CONFIDENCE.none +
    CONFIDENCE.termCoverage * termCoverage +
    CONFIDENCE.bigrams * bigrams +
    CONFIDENCE.nearest * nearest -
    CONFIDENCE.unknown * unknown -
    CONFIDENCE.tenfold * Math.log10(Math.max(1, documents)) -
    (isOfAnother ? CONFIDENCE.ofAnother : 0)
  );
}

/**
 * What is known of an answer that has at least one row.
 * @param agents those that the query names
 * @param times those that the query names
 */
export function evidenceOf(
  rows: ResultRows,
  query: string,
  agents: readonly string[],
  times: readonly TimeSpan[],
  text: TextAnswer,
  vectors: VectorAnswer,
): AnswerEvidence {
  const { document } = rows.all[0]!.found;
  const documents = vectors.searched.reduce((sum, { columns }) => sum + columns.ids.length, 0);
  const terms = new Set(termsOf(`${document.title}\n${document.body}`));
  const ofThen = new Set(timeShare(times, document.at) > 0 ? termsOf(timeWordsIn(query).join(' ')) : []);
  let all = 0;
  let held = 0;
  let unknown = 0;
  for (const { term, documents: holding } of text.own.terms) {
    const isOfThen = ofThen.has(term);
    const rarity = (isOfThen ? OF_THEN : 1) * smoothedRarity(holding, documents);
    all += rarity;
    if (isOfThen || terms.has(term)) held += rarity;
    else if (holding === 0) unknown += rarity;
  }
  const share = (part: number) => (all === 0 ? 0 : part / all);
  return {
    termCoverage: share(held),
    unknown: share(unknown),
    bigrams: bigramShare(query, text.own)(rows.all[0]!.found),
    nearest: Math.max(...rows.passed.map(vectors.cosineOf)),
    isOfAnother: agents.length > 0 && !agents.includes(document.agent),
    documents,
  };
}

/** As if more documents stood there, of which some hold any word: in a small project every word is rare, also `file`. */
function smoothedRarity(holding: number, documents: number): number {
  const { documents: more, share } = RARITY_PRIOR;
  return Math.log((documents + more + 1) / (Math.min(holding, documents) + more * share + 0.5));
}
