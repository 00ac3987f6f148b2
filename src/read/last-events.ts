// Reads the end of the log backwards, page by page, until enough events are found.
import { type Log, type LogEvent, type LogPage, pagesAfter } from '../../log/index.ts';

export type LoggedEvent = LogPage['events'][number];

/** The first page is small, because most callers want few events; each next page is twice as large, up to `EVENTS_MAX`. */
const EVENTS_FIRST = 64;
const EVENTS_MAX = 1_000;

/** Events from the end of the log back to a position, in runs that are each in position order. */
export async function* pagesBackwards(
  log: Pick<Log, 'head' | 'page'>,
  after: number,
): AsyncGenerator<readonly LoggedEvent[]> {
  let size = EVENTS_FIRST;
  for (let end = log.head().position; end > after; end -= size, size = Math.min(2 * size, EVENTS_MAX)) {
    const start = Math.max(after, end - size);
    const events: LoggedEvent[] = [];
    // A page of large events ends before it has as many as asked for.
    const pages = pagesAfter(start, (position) => log.page({ after: position, limit: end - position }));
    for await (const page of pages) {
      events.push(...page.events);
      if (page.end.position >= end) break;
    }
    yield events;
  }
}

/** The same for the events of one session. */
export async function* sessionPagesBackwards(
  log: Pick<Log, 'head' | 'pageBySession'>,
  session: { readonly agent: string; readonly session: string; readonly after: number },
): AsyncGenerator<readonly LoggedEvent[]> {
  let limit = EVENTS_FIRST;
  for (let before = log.head().position + 1; ; limit = Math.min(2 * limit, EVENTS_MAX)) {
    const { events } = await log.pageBySession({ ...session, before, limit });
    const first = events[0];
    if (first === undefined) return;
    yield events;
    before = first.position;
  }
}

/** The last `most` events that pass, in position order. Reads no page before the one that completes them. */
export async function lastOf(
  pages: AsyncIterable<readonly LoggedEvent[]>,
  most: number,
  passes: (event: LoggedEvent) => event is LogEvent,
): Promise<readonly LogEvent[]> {
  const found: LogEvent[] = [];
  if (most <= 0) return found;
  for await (const events of pages)
    for (const event of events.toReversed()) {
      if (!passes(event)) continue;
      found.push(event);
      if (found.length === most) return found.reverse();
    }
  return found.reverse();
}
