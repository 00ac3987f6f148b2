// What an answer shows of a document that was found, and of the query.
import type { SearchResult, SearchUnderstood } from '../api.ts';
import type { Found } from './found.ts';
import type { Query } from './query.ts';
import type { Row } from './rows.ts';
import { oneLine, snippet } from './snippet.ts';
import type { TimeSpan } from './time-words.ts';

interface Shown extends Pick<Row, 'parts' | 'alike'> {
  readonly found: Pick<Found, 'document' | 'ranked'>;
}

export function resultOf(
  { found: { document, ranked }, parts, alike }: Shown,
  names: ReadonlyMap<string, string>,
  query: Query,
  explain = false,
): SearchResult {
  const { score, shares, partition } = ranked;
  return {
    id: document.id,
    kind: document.kind,
    type: document.type,
    title: oneLine(document.title),
    project: names.get(partition) ?? '',
    session: document.session,
    at: isoTime(document.at),
    score,
    snippet: snippet(document, query.text, query.phrases),
    tokens: document.tokens,
    turn: document.turn,
    parts,
    alike,
    ...(explain ? { shares } : {}),
  };
}

/** How a query was understood. */
export function understood(
  { text, phrases, without }: Query,
  conditions: SearchUnderstood['conditions'],
  times: readonly TimeSpan[],
): SearchUnderstood {
  const named = times.map(({ first, last }) => ({ first: isoTime(first)!, last: isoTime(last)! }));
  return { text, phrases, without, conditions, times: named };
}

/** Null too for a number that is no time: an agent's clock may say anything. */
function isoTime(at: number | null): string | null {
  return at === null || Number.isNaN(new Date(at).getTime()) ? null : new Date(at).toISOString();
}
