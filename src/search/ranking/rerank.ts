// The best of the fused order, read whole and put in order again by what only the document shows: words side by side,
// whether it follows a question that holds the query's words, and, where the query names a time, when it happened.
// Times are looked for deeper: a document of the right day may share few words with the query.
import type { DocumentSource, TextAnswer } from '../../../projections/text/index.ts';
import type { TimeSpan } from '../query/time-words.ts';
import { bigramShare } from './bigrams.ts';
import { type FoundDocument, readFound } from './found-documents.ts';
import { byScore, type Ranked, type RerankPart, raised } from './fusion.ts';
import { timeShare } from './query-times.ts';
import { DEPTH, QUESTION_LENGTH_MAX, RERANKED_MAX } from './weights.ts';

/** What the closer look goes by. */
export interface RerankInput {
  readonly query: string;
  /** The times that it names. */
  readonly times: readonly TimeSpan[];
  /** Whether all that was fused is read: what holds now may be told in few of the query's words. */
  readonly isDeep: boolean;
  /** The share of the query that a text holds, 0…1. */
  readonly termCoverageIn: (text: string) => number;
  /** Which of its terms the documents hold. */
  readonly own: TextAnswer['own'];
}

/** @returns the best as read, in their new order, and all others in their old one */
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
  return { found: [...best, ...found.slice(RERANKED_MAX)], rest: all.slice(depth) };
}

/** Each with this share added, in order again. */
function raise(
  found: readonly FoundDocument[],
  part: RerankPart,
  share: (found: FoundDocument) => number,
): FoundDocument[] {
  return found
    .map((one) => ({ ...one, ranked: raised(one.ranked, part, share(one)) }))
    .sort((a, b) => byScore(a.ranked, b.ranked));
}
