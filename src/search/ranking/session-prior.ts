// Scores how well each session matches the query, as if a session were one document: BM25 over the words of all its
// documents, times the number of different terms it holds, scaled to 0…1 by the best.
import type { TextAnswer } from '../../../projections/text/index.ts';
import type { SearchedVectors } from '../../../projections/vectors/index.ts';
import { SESSION_BM25 } from './weights.ts';

interface SessionScore {
  /** BM25's factor for its length. */
  readonly length: number;
  score: number;
  /** How many terms it holds. */
  held: number;
}

/** Session → 0…1. Sessions without any of the terms are left out. */
export function sessionScores(
  searched: readonly SearchedVectors[],
  terms: TextAnswer['own']['terms'],
): ReadonlyMap<string, number> {
  const tokens = sessionTokens(searched);
  let all = 0;
  for (const length of tokens.values()) all += length;
  const mean = all / Math.max(1, tokens.size);
  const { k, b } = SESSION_BM25;
  const scored = new Map<string, SessionScore>();
  for (const { sessions } of terms) {
    const holding: SessionScore[] = [];
    const counts: number[] = [];
    for (const [session, count] of sessions) {
      let one = scored.get(session);
      if (one === undefined) {
        const own = tokens.get(session);
        // A session without vectors has no known length.
        if (own === undefined) continue;
        one = { length: 1 - b + (b * own) / mean, score: 0, held: 0 };
        scored.set(session, one);
      }
      holding.push(one);
      counts.push(count);
    }
    const rarity = Math.log(1 + (tokens.size - counts.length + 0.5) / (counts.length + 0.5));
    for (const [index, one] of holding.entries()) {
      const count = counts[index]!;
      one.score += (rarity * (k + 1) * count) / (count + k * one.length);
      one.held += 1;
    }
  }
  let best = 0;
  for (const { score, held } of scored.values()) best = Math.max(best, score * held);
  const scores = new Map<string, number>();
  if (best > 0) for (const [session, { score, held }] of scored) scores.set(session, (score * held) / best);
  return scores;
}

/** Session → tokens. A session may have documents in several projects. */
function sessionTokens(searched: readonly SearchedVectors[]): ReadonlyMap<string, number> {
  if (searched.length === 1) return searched[0]!.content.sessions.tokens;
  const all = new Map<string, number>();
  for (const { content } of searched)
    for (const [session, tokens] of content.sessions.tokens)
      all.set(session, (all.get(session) ?? 0) + tokens);
  return all;
}
