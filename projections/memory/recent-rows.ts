// What filters ask about a document, in a short row of its own, by kind and type, the newest first: a search by type,
// file or concept reads these instead of whole documents, only where something can pass, and stops at the first that
// do. A document's row moves with its time, place and type, and goes with it.

import type { DocumentKind, MemoryDocument } from '../documents/document.ts';
import type { ViewReader } from '../engine/contract/projector.ts';
import { newestFirst, newestFirstFrom } from '../engine/store/newest-first-keys.ts';
import { canonicalJson } from '../engine/store/row-digest.ts';
import { below, key, keyParts } from '../engine/store/row-keys.ts';

/** As it stands in the view: kind, type and id are in its key. */
type StoredRow = Pick<MemoryDocument, 'agent' | 'session' | 'at' | 'files' | 'concepts'>;

export type RecentDocument = StoredRow & Pick<MemoryDocument, 'id' | 'kind' | 'type'>;

/** Which rows are wanted. */
export interface RecentSpan {
  /** Unix ms, both included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Whether anything of this kind and type may be wanted; without, everything. */
  readonly mayPass?: (kind: DocumentKind, type: string | null) => boolean;
}

/** Rows read at once of one kind and type at a place: few at first, because the newest answer most questions. */
const ROWS_FIRST = 10;
const ROWS_MAX = 2_000;
/** After every time in a key. */
const AFTER_TIMES = ':';

export function recentKey({ workdir, kind, type, at, id }: MemoryDocument): string {
  return key('recent', workdir, kind, type ?? '', newestFirst(at), id);
}

export function recentRow({ agent, session, at, files, concepts }: MemoryDocument): StoredRow {
  return { agent, session, at, files, concepts };
}

export function sameRecent(one: MemoryDocument, other: MemoryDocument): boolean {
  return (
    recentKey(one) === recentKey(other) && canonicalJson(recentRow(one)) === canonicalJson(recentRow(other))
  );
}

/**
 * The documents of these places in a span of time, in pages, the newest first, equal times by id; what has no time
 * comes last. A page is as long as it needs to be: take what you want and stop.
 */
export async function* newestDocuments(
  view: ViewReader,
  workdirs: readonly string[],
  span: RecentSpan = {},
): AsyncGenerator<readonly RecentDocument[]> {
  let streams: Stream[] = [];
  for (const workdir of workdirs) streams.push(...(await streamsAt(view, workdir, span)));
  for (;;) {
    for (const stream of streams) if (stream.at === stream.rows.length) await stream.refill();
    streams = streams.filter(({ rows }) => rows.length > 0);
    if (streams.length === 0) return;
    yield streams.length === 1 ? rest(streams[0]!) : merged(streams);
  }
}

/** One for each kind and type that stands at a place: found by seeking from one to the next. */
async function streamsAt(view: ViewReader, workdir: string, span: RecentSpan): Promise<Stream[]> {
  const streams: Stream[] = [];
  let after: string | undefined;
  for (;;) {
    const range = { limit: 1, ...(after === undefined ? {} : { after }) };
    const [next] = await view.range(below('recent', workdir), range);
    if (next === undefined) return streams;
    const [, , kind, type = ''] = keyParts(next[0]) as [string, string, DocumentKind, string];
    const prefix = below('recent', workdir, kind, type);
    after = `${prefix}${AFTER_TIMES}`;
    if (span.mayPass?.(kind, type === '' ? null : type) ?? true)
      streams.push(streamOf(view, prefix, { kind, type: type === '' ? null : type }, span));
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
  prefix: string,
  group: Pick<MemoryDocument, 'kind' | 'type'>,
  { since, until }: RecentSpan,
): Stream {
  let after = until === undefined ? undefined : newestFirstFrom(prefix, until);
  let limit = ROWS_FIRST;
  return {
    rows: [],
    at: 0,
    async refill() {
      const read = await view.range<StoredRow>(prefix, { limit, ...(after === undefined ? {} : { after }) });
      after = read.at(-1)?.[0] ?? after;
      limit = Math.min(limit * 4, ROWS_MAX);
      this.at = 0;
      this.rows = read
        .filter(([, { at }]) => since === undefined || (at !== null && at >= since))
        .map(([rowKey, row]) => {
          const order = rowKey.slice(prefix.length);
          return [order, { ...row, ...group, id: order.slice(order.indexOf('/') + 1) }];
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
