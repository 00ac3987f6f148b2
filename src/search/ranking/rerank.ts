// Reads the best of the fused order and orders them again by what only the whole document shows: adjacent words, whether
// it follows a question that holds the query's words, and, if the query names a time, when it happened.
// Times are checked deeper in the list: a document of the right day may share few words with the query.
import type { DocumentSource, TextAnswer } from '../../../projections/text/index.ts';
import type { TimeSpan } from '../query/time-words.ts';
import { bigramShare } from './bigrams.ts';
import { type FoundDocument, readFound } from './found-documents.ts';
import { byScore, type Ranked, type RerankPart, raised } from './fusion.ts';
import { timeShare } from './query-times.ts';
import { DEPTH, QUESTION_LENGTH_MAX, RERANKED_MAX } from './weights.ts';

/** What reranking needs to know. */
export interface RerankInput {
  readonly query: string;
  /** The times that the query names. */
  readonly times: readonly TimeSpan[];
  /** Whether all fused documents are read: the current state may be stated in few of the query's words. */
  readonly isDeep: boolean;
  /** The share of the query that a text holds, 0…1. */
  readonly termCoverageIn: (text: string) => number;
  /** Which terms of the query each document holds. */
  readonly own: TextAnswer['own'];
}

/** @returns the documents read, in their new order, and all others in their old order */
export async function rerank(
  documents: Pick<DocumentSource, 'getMany'>,
  all: readonly Ranked[],
  { query, times, isDeep, termCoverageIn, own }: RerankInput,
): Promise<{ readonly found: readonly FoundDocument[]; readonly rest: readonly Ranked[] }> {
  const depth = times.length === 0 && !isDeep ? RERANKED_MAX : DEPTH;
  const read = await readFound(documents, all.slice(0, depth));
  const found =
    times.length === 0 ? read : raise(read, 'time', ({ document }) => timeShare(times, document.at));
  const side = raise(found.slice(0, RERANKED_MAX), 'bigrams', bigramShare(query, own));
  const best = raise(side, 'answering', ({ document: { neighbours } }) => {
    const [before = ''] = neighbours;
    return before.length <= QUESTION_LENGTH_MAX && before.includes('?') ? termCoverageIn(before) : 0;
  });
  const ordered = [...best, ...found.slice(RERANKED_MAX)];
  return {
    found: [...ordered.filter(holds), ...ordered.filter((one) => !holds(one))],
    rest: all.slice(depth),
  };
}

/** Whether a person has not superseded it. */
function holds({ document: { marks } }: FoundDocument): boolean {
  return marks?.superseded === undefined;
}

/** Adds this share to each document and sorts again. */
function raise(
  found: readonly FoundDocument[],
  part: RerankPart,
  share: (found: FoundDocument) => number,
): FoundDocument[] {
  return found
    .map((one) => ({ ...one, ranked: raised(one.ranked, part, share(one)) }))
    .sort((a, b) => byScore(a.ranked, b.ranked));
}
