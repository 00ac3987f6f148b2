// Reads the best of the fused order and orders them again by what only the whole document shows: adjacent words, whether
// it follows a question that holds the query's words, and, if the query names a time, when it happened. For a question
// also whether it holds the kind of answer that is asked for, and what the documents near it hold.
// Times are checked deeper in the list: a document of the right day may share few words with the query.
import type { DocumentSource, TextAnswer } from '../../../projections/text/index.ts';
import type { TimeSpan } from '../query/time-words.ts';
import { bigramShare } from './bigrams.ts';
import { type FoundDocument, readFound } from './found-documents.ts';
import { byScore, type Ranked, type RerankShares, raised } from './fusion.ts';
import { isShortQuestion, nearbyIn } from './nearby.ts';
import { answerKindsIn, type QueryForm } from './query-form.ts';
import { timeShare } from './query-times.ts';
import { DEPTH, RERANKED_MAX, WEIGHTS } from './weights.ts';

/** What reranking needs to know. */
export interface RerankInput {
  readonly query: string;
  readonly form: QueryForm;
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
  input: RerankInput,
): Promise<{ readonly found: readonly FoundDocument[]; readonly rest: readonly Ranked[] }> {
  const { times, isDeep } = input;
  const depth = times.length === 0 && !isDeep ? RERANKED_MAX : DEPTH;
  const read = await readFound(documents, all.slice(0, depth));
  const found =
    times.length === 0
      ? read
      : raise(
          read,
          read.map(({ document }) => ({ time: WEIGHTS[input.form].time * timeShare(times, document.at) })),
        );
  const best = found.slice(0, RERANKED_MAX);
  const ordered = [...raise(best, sharesOf(best, input)), ...found.slice(RERANKED_MAX)];
  return {
    found: [...ordered.filter(holds), ...ordered.filter((one) => !holds(one))],
    rest: all.slice(depth),
  };
}

/** Whether a person has not superseded it. */
function holds({ document: { marks } }: FoundDocument): boolean {
  return marks?.superseded === undefined;
}

function sharesOf(found: readonly FoundDocument[], input: RerankInput): RerankShares[] {
  const { query, form, termCoverageIn, own } = input;
  const weights = WEIGHTS[form];
  const bigrams = bigramShare(query, own);
  const shares = found.map((one) => ({ bigrams: weights.bigrams * bigrams(one) }));
  if (form === 'keywords') return shares;
  const answerKinds = answerKindsIn(query);
  const scaled = (index: number, part: 'words' | 'meaning') =>
    (found[index]?.ranked.shares?.[part] ?? 0) / weights[part];
  return nearbyIn(found).map(({ around, question }, index) => {
    const { title, body, neighbours } = found[index]!.document;
    const [before = ''] = neighbours;
    const asked = isShortQuestion(before) ? termCoverageIn(before) : 0;
    return {
      ...shares[index],
      answering: weights.answering * (asked + scaled(question, 'meaning')),
      answerKind: weights.answerKind * answerKinds(body || title),
      nearby: weights.nearby * Math.max(0, ...around.map((other) => scaled(other, 'words'))),
    };
  });
}

/** Adds its shares to each document and sorts again. */
function raise(found: readonly FoundDocument[], shares: readonly RerankShares[]): FoundDocument[] {
  return found
    .map((one, index) => ({ ...one, ranked: raised(one.ranked, shares[index]!) }))
    .sort((a, b) => byScore(a.ranked, b.ranked));
}
