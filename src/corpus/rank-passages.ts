// The passages of a corpus that fit a question best, by the ranking of the search. It needs no model.
import type { DocumentKind } from '../../projections/index.ts';
import type { CorpusPassage } from '../api/observer/corpus.ts';
import { clip } from '../capture/text/clip.ts';
import type { Home } from '../home/home.ts';
import { searchMemory } from '../search/search-home.ts';
import { itemOf, type Passage } from './passages.ts';

const PASSAGES_MAX = 8;
const PASSAGE_CHARS_MAX = 600;
const SEARCH_LIMIT = 1_000;

export async function rankedPassages(
  question: string,
  passages: readonly Passage[],
  home: Home,
): Promise<readonly CorpusPassage[]> {
  const byId = new Map(passages.map((passage) => [passage.document.id, passage]));
  // Quotes, operators and excluded words of a question are words here.
  const words = question.replace(/["“”:]|(?<!\S)-|\s+/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return [];
  const kinds = new Set<DocumentKind>(passages.map(({ document }) => document.kind));
  const scores = new Map<string, number>();
  for (const kind of kinds) {
    const { results } = await searchMemory(words, { kind, limit: SEARCH_LIMIT }, home);
    for (const { id, parts, score } of results)
      for (const one of [id, ...parts.map((part) => part.id)])
        if (byId.has(one)) scores.set(one, Math.max(score, scores.get(one) ?? 0));
  }
  const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, PASSAGES_MAX);
  return best.map(([id]) => {
    const passage = byId.get(id)!;
    return { ...itemOf(passage), text: clip(passage.document.body.trim(), PASSAGE_CHARS_MAX) };
  });
}
