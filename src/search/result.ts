// Makes the parts of an answer that are shown: a result row and the query as it was understood.
import { isoTime } from '../../log/index.ts';
import type { SearchResult, UnderstoodQuery } from '../api.ts';
import { itemMarks } from '../home/item-marks.ts';
import { decisionsIn } from './decisions.ts';
import { outcomeOf } from './filter.ts';
import type { Query } from './query/query.ts';
import type { TimeSpan } from './query/time-words.ts';
import type { FoundDocument } from './ranking/found-documents.ts';
import type { ResultRow } from './ranking/result-rows.ts';
import { snippet, snippetLine } from './snippet.ts';
import { statementOf } from './statement.ts';

interface Shown extends Pick<ResultRow, 'parts' | 'nearDuplicates'> {
  readonly found: Pick<FoundDocument, 'document' | 'ranked'>;
}

export function resultOf(
  { found: { document, ranked }, parts, nearDuplicates }: Shown,
  names: ReadonlyMap<string, string>,
  query: Query,
  { explain = false, asksForDecisions }: { explain?: boolean | undefined; asksForDecisions: boolean },
): SearchResult {
  const { score, shares, projectIndex } = ranked;
  const statement = statementOf(document, parts, query.text);
  const decisions = asksForDecisions ? decisionsIn(document, query.text) : [];
  return {
    id: document.id,
    kind: document.kind,
    type: document.type,
    outcome: outcomeOf(document),
    ...(document.author === undefined ? {} : { author: document.author }),
    ...itemMarks(document.marks),
    title: snippetLine(document.title),
    project: names.get(projectIndex) ?? '',
    session: document.session,
    at: isoTime(document.at),
    score,
    snippet: snippet(document, query.text, query.phrases),
    ...(decisions.length === 0 ? {} : { decisions }),
    tokens: document.tokens,
    turn: document.turn,
    parts: parts.map(({ document: { id, kind, type } }) => ({ id, kind, type })),
    ...(statement === null ? {} : { statement }),
    nearDuplicates,
    ...(explain ? { shares } : {}),
  };
}

/** How the query was understood. */
export function understood(
  { text, phrases, without }: Query,
  conditions: UnderstoodQuery['conditions'],
  times: readonly TimeSpan[],
): UnderstoodQuery {
  const named = times.map(({ first, last }) => ({ first: isoTime(first)!, last: isoTime(last)! }));
  return { text, phrases, without, conditions, times: named };
}
