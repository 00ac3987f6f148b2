// The best of the fused order, read whole and put in order again by what only the document shows: words side by side,
// whether it follows a question that holds the query's words, and, where the query names a time, when it happened.
// Times are looked for deeper: a document of the right day may share few words with the query.
import type { DocumentSource, TextAnswer } from '../../projections/text-index/index.ts';
import { timeShare } from './dated.ts';
import { type Found, readThese } from './found.ts';
import { byScore, type Later, type Ranked, raised } from './fusion.ts';
import { pairShare } from './pairs.ts';
import type { TimeSpan } from './time-words.ts';
import { DEPTH, QUESTION_LENGTH_MAX, READ } from './weights.ts';

/** What the closer look goes by. */
export interface Looked {
  readonly query: string;
  /** The times that it names. */
  readonly times: readonly TimeSpan[];
  /** Whether all that was fused is read: what holds now may be told in few of the query's words. */
  readonly isDeep: boolean;
  /** The share of the query that a text holds, 0…1. */
  readonly heldIn: (text: string) => number;
  /** Which of its terms the documents hold. */
  readonly own: TextAnswer['own'];
}

/** @returns the best as read, in their new order, and all others in their old one */
export async function closerLook(
  documents: Pick<DocumentSource, 'getMany'>,
  all: readonly Ranked[],
  { query, times, isDeep, heldIn, own }: Looked,
): Promise<{ readonly found: readonly Found[]; readonly rest: readonly Ranked[] }> {
  const depth = times.length === 0 && !isDeep ? READ : DEPTH;
  const read = await readThese(documents, all.slice(0, depth));
  const found =
    times.length === 0 ? read : raise(read, 'time', ({ document }) => timeShare(times, document.at));
  const side = raise(found.slice(0, READ), 'pairs', pairShare(query, own));
  const best = raise(side, 'answering', ({ document: { neighbours } }) => {
    const [before = ''] = neighbours;
    return before.length <= QUESTION_LENGTH_MAX && before.includes('?') ? heldIn(before) : 0;
  });
  return { found: [...best, ...found.slice(READ)], rest: all.slice(depth) };
}

/** Each with this share added, in order again. */
function raise(found: readonly Found[], part: Later, share: (found: Found) => number): Found[] {
  return found
    .map((one) => ({ ...one, ranked: raised(one.ranked, part, share(one)) }))
    .sort((a, b) => byScore(a.ranked, b.ranked));
}
