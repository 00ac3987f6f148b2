// Estimates how likely it is that the first result answers the query. A score only orders: the best of bad results
// scores as high as the best of good ones. Confidence is absolute and one measure for every size: the weighed evidence
// for the first result, less what chance finds among so many documents. More evidence of any kind never lowers it, and
// more documents never raise it.
import { type TextAnswer, termsOf } from '../../../projections/text/index.ts';
import type { VectorAnswer } from '../../../projections/vectors/index.ts';
import type { TimeSpan } from '../query/time-words.ts';
import { bigramShare } from './bigrams.ts';
import type { FoundDocument } from './found-documents.ts';
import { timeShare, timeWordsIn } from './query-times.ts';
import type { ResultRows } from './result-rows.ts';
import { CONFIDENCE, LEAD, OF_THEN, RARITY_PRIOR } from './weights.ts';

/** The evidence that an answer is measured by. */
export interface AnswerEvidence {
  /**
   * The share of the query's terms that the first result holds, each weighed by rarity, 0…1. A document from a time that
   * the query names counts as holding the words of that time, because few texts state their own date.
   */
  readonly termCoverage: number;
  /** The share of the query's terms that no document holds, 0…1. */
  readonly unknown: number;
  /** The share of the query's adjacent term pairs that are adjacent in the first result, 0…1. */
  readonly bigrams: number;
  /** The highest cosine between the query and any result. */
  readonly nearest: number;
  /** Whether the query names an agent and the first result is another agent's. */
  readonly isOfAnother: boolean;
  /**
   * How much more the best result of the named agent scores than the best of another, without what it gets for the name; from −1
   * to 0.5. Null if the query names no agent, or no other was found.
   */
  readonly lead: number | null;
  /** The number of documents searched. */
  readonly documents: number;
}

/** Log odds that the first result is what was asked for; below `CONFIDENCE.min` the answer reports low confidence. */
export function confidence({
  termCoverage,
  unknown,
  bigrams,
  nearest,
  isOfAnother,
  lead,
  documents,
}: AnswerEvidence): number {
  return (
    CONFIDENCE.none +
    CONFIDENCE.termCoverage * termCoverage +
    CONFIDENCE.bigrams * bigrams +
    CONFIDENCE.nearest * nearest +
    (lead === null ? 0 : CONFIDENCE.lead * (lead - LEAD.expected)) -
    CONFIDENCE.unknown * unknown -
    CONFIDENCE.tenfold * Math.log10(Math.max(1, documents)) -
    (isOfAnother ? CONFIDENCE.ofAnother : 0)
  );
}

/** What the query names, and what was found for it. */
export interface Asked {
  readonly query: string;
  /** The agents that the query names. */
  readonly agents: readonly string[];
  /** The times that the query names. */
  readonly times: readonly TimeSpan[];
  readonly text: TextAnswer;
  readonly vectors: VectorAnswer;
}

/** The evidence for an answer that has at least one row. */
export function evidenceOf(rows: ResultRows, asked: Asked): AnswerEvidence {
  return {
    ...evidenceIn(rows.all[0]!.found, asked),
    nearest: Math.max(...rows.passed.map((one) => asked.vectors.cosineOf(one.document.id))),
    lead: asked.agents.length === 0 ? null : leadOf(rows, asked.agents),
  };
}

/** The evidence for one document alone. */
export function evidenceIn(
  found: FoundDocument,
  { query, agents, times, text, vectors }: Asked,
): AnswerEvidence {
  const { document } = found;
  const documents = vectors.searched.reduce((sum, { content }) => sum + content.rows, 0);
  const terms = new Set(found.terms());
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
    bigrams: bigramShare(query, text.own)(found),
    nearest: vectors.cosineOf(document.id),
    isOfAnother: agents.length > 0 && !agents.includes(document.agent),
    lead: null,
    documents,
  };
}

function leadOf(rows: ResultRows, agents: readonly string[]): number | null {
  let own = 0;
  let others = 0;
  for (const { document, ranked } of rows.passed) {
    if (agents.includes(document.agent)) own = Math.max(own, ranked.score - (ranked.shares?.named ?? 0));
    else others = Math.max(others, ranked.score);
  }
  return others === 0 ? null : Math.min(LEAD.max, Math.max(LEAD.min, own - others));
}

/** Rarity as if there were more documents, and some of them contained every word: in a small project every word is rare, even `file`. */
export function smoothedRarity(holding: number, documents: number): number {
  const { documents: more, share } = RARITY_PRIOR;
  return Math.log((documents + more + 1) / (Math.min(holding, documents) + more * share + 0.5));
}
