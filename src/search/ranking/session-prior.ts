// Scores how well each session matches the query, as if a session were one document: BM25 over the words of all its
// documents, times the number of different terms it holds, scaled to 0…1 by the best.
import type { TextAnswer } from '../../../projections/text/index.ts';
import type { SearchedVectors } from '../../../projections/vectors/index.ts';
import { SESSION_BM25 } from './weights.ts';

/** Session → 0…1. Sessions without any of the terms are left out. */
export function sessionScores(
  searched: readonly SearchedVectors[],
  terms: TextAnswer['own']['terms'],
): ReadonlyMap<string, number> {
  const tokens = sessionTokens(searched);
  let all = 0;
  for (const length of tokens.values()) all += length;
  const mean = all / Math.max(1, tokens.size);
  const scores = new Map<string, { score: number; held: number }>();
  for (const { sessions } of terms) {
    // A session without vectors has no known length.
    const counts = [...sessions].filter(([session]) => tokens.has(session));
    const rarity = Math.log(1 + (tokens.size - counts.length + 0.5) / (counts.length + 0.5));
    for (const [session, count] of counts) {
      const { k, b } = SESSION_BM25;
      const length = 1 - b + (b * tokens.get(session)!) / mean;
      const one = scores.get(session) ?? { score: 0, held: 0 };
      one.score += (rarity * (k + 1) * count) / (count + k * length);
      one.held += 1;
      scores.set(session, one);
    }
  }
  const products = Array.from(scores, ([session, { score, held }]): [string, number] => [
    session,
    score * held,
  ]);
  const best = Math.max(0, ...products.map(([, product]) => product));
  return new Map(best === 0 ? [] : products.map(([session, product]) => [session, product / best]));
}

/** Session → tokens. A session may have documents in several projects. */
function sessionTokens(searched: readonly SearchedVectors[]): ReadonlyMap<string, number> {
  if (searched.length === 1) return searched[0]!.columns.sessionTokens;
  const all = new Map<string, number>();
  for (const { columns } of searched)
    for (const [session, tokens] of columns.sessionTokens) all.set(session, (all.get(session) ?? 0) + tokens);
  return all;
}
