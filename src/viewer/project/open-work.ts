// What the sessions of a project left open, as the last turn of each says it.
import { sessionKey } from '../api/session-parts.ts';
import type { ListedSummary } from '../api/types.ts';

/** An older text that shares so many of its words with a newer one is about the same. */
const SAME_SHARE = 0.6;

/** @param summaries newest first. A later turn of a session, and a later session on the same, says what is left of it now. */
export function openWork(summaries: readonly ListedSummary[]): readonly ListedSummary[] {
  const seen = new Set<string>();
  const ends = summaries.filter(({ agent, session: id }) => {
    const key = sessionKey({ agent, id });
    return !seen.has(key) && seen.add(key);
  });
  const kept: ListedSummary[] = [];
  for (const end of ends)
    if (end.nextSteps.length > 0 && !kept.some((newer) => isAboutTheSame(end, newer))) kept.push(end);
  return kept;
}

function isAboutTheSame(older: ListedSummary, newer: ListedSummary): boolean {
  const words = longWordsOf(older);
  const known = longWordsOf(newer);
  const shared = [...words].filter((word) => known.has(word));
  return shared.length > 0 && shared.length >= SAME_SHARE * words.size;
}

function longWordsOf({ nextSteps }: ListedSummary): ReadonlySet<string> {
  return new Set(
    nextSteps
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{5,}/gu),
  );
}
