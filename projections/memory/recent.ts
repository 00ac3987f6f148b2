// What filters ask about a document, in a short row of its own, the newest first: a search by type, file or concept
// reads these instead of whole documents, and stops at the first that pass. A document's row moves with its time
// and place, and goes with it.
import { backwards, upTo } from '../backwards.ts';
import { canonicalJson } from '../digest.ts';
import { below, key } from '../keys.ts';
import type { ViewReader } from '../projector.ts';
import type { MemoryDocument } from './document.ts';

export type RecentRow = Pick<
  MemoryDocument,
  'kind' | 'type' | 'agent' | 'session' | 'at' | 'files' | 'concepts'
>;

export type RecentDocument = RecentRow & Pick<MemoryDocument, 'id'>;

/** Rows read at once of one place: few at first, because most questions are answered by the newest. */
const ROWS_FIRST = 100;
const ROWS_MAX = 2_000;

export function recentKey({ place, at, id }: MemoryDocument): string {
  return key('recent', place, backwards(at), id);
}

export function recentRow({ kind, type, agent, session, at, files, concepts }: MemoryDocument): RecentRow {
  return { kind, type, agent, session, at, files, concepts };
}

export function sameRecent(one: MemoryDocument, other: MemoryDocument): boolean {
  return (
    recentKey(one) === recentKey(other) && canonicalJson(recentRow(one)) === canonicalJson(recentRow(other))
  );
}

/**
 * The documents of these places in a span of time (Unix ms, both included), in pages, the newest first, equal times
 * by id; what has no time comes last. A page is as long as it needs to be: take what you want and stop.
 */
export async function* newestDocuments(
  view: ViewReader,
  places: readonly string[],
  { since, until }: { readonly since?: number | undefined; readonly until?: number | undefined } = {},
): AsyncGenerator<readonly RecentDocument[]> {
  let streams = places.map((place) => streamOf(view, place, since, until));
  for (;;) {
    for (const stream of streams) if (stream.at === stream.rows.length) await stream.refill();
    streams = streams.filter(({ rows }) => rows.length > 0);
    if (streams.length === 0) return;
    yield streams.length === 1 ? rest(streams[0]!) : merged(streams);
  }
}

interface Stream {
  /** What was read and not yet handed on begins at `at`; no rows: there are no more. */
  rows: readonly (readonly [order: string, row: RecentDocument])[];
  at: number;
  refill(): Promise<void>;
}

function streamOf(
  view: ViewReader,
  place: string,
  since: number | undefined,
  until: number | undefined,
): Stream {
  const prefix = below('recent', place);
  let after = until === undefined ? undefined : upTo(prefix, until);
  let limit = ROWS_FIRST;
  return {
    rows: [],
    at: 0,
    async refill() {
      const read = await view.range<RecentRow>(prefix, { limit, ...(after === undefined ? {} : { after }) });
      after = read.at(-1)?.[0] ?? after;
      limit = Math.min(limit * 2, ROWS_MAX);
      this.at = 0;
      this.rows = read
        .filter(([, { at }]) => since === undefined || (at !== null && at >= since))
        .map(([rowKey, row]) => {
          const order = rowKey.slice(prefix.length);
          return [order, { ...row, id: order.slice(order.indexOf('/') + 1) }];
        });
    },
  };
}

function rest(stream: Stream): RecentDocument[] {
  const rows = stream.rows.slice(stream.at).map(([, row]) => row);
  stream.at = stream.rows.length;
  return rows;
}

/** In order, until one of the streams has to be read again. */
function merged(streams: readonly Stream[]): RecentDocument[] {
  const rows: RecentDocument[] = [];
  for (;;) {
    let first = streams[0]!;
    for (const stream of streams) if (stream.rows[stream.at]![0] < first.rows[first.at]![0]) first = stream;
    rows.push(first.rows[first.at]![1]);
    first.at += 1;
    if (first.at === first.rows.length) return rows;
  }
}
