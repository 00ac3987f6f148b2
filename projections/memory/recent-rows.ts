// A short row for each document with the fields that filters test, by kind and type, newest first. A search by type,
// file or concept reads these instead of complete documents, skips kinds and types that cannot match, and stops when it
// has enough.

import type { DocumentKind, MemoryDocument } from '../documents/document.ts';
import type { ViewReader } from '../engine/contract/projector.ts';
import { newestFirst, newestFirstFrom } from '../engine/store/newest-first-keys.ts';
import { canonicalJson } from '../engine/store/row-digest.ts';
import { below, key, keyParts } from '../engine/store/row-keys.ts';
import { rowPages } from '../engine/store/row-pages.ts';

/** The stored row; kind, type and id are in its key. Another field needs another `version` in memory-projector.ts. */
interface StoredRow
  extends Pick<MemoryDocument, 'agent' | 'session' | 'at' | 'files' | 'concepts' | 'outcome' | 'tests'> {
  readonly hasDecisions?: true;
}

export type RecentDocument = StoredRow & Pick<MemoryDocument, 'id' | 'kind' | 'type'>;

/** As `newestDocuments` yields it. */
export function recentDocument(document: MemoryDocument): RecentDocument {
  const { id, kind, type } = document;
  return { ...recentRow(document), id, kind, type };
}

/** Which rows to read. */
export interface RecentSpan {
  /** Unix ms, inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Whether rows of this kind and type can match. Default: all can. */
  readonly mayPass?: (kind: DocumentKind, type: string | null) => boolean;
}

/** Rows read at once of one kind and type in a workdir: few at first, because most searches need only the newest. */
const ROWS_FIRST = 10;
const ROWS_MAX = 2_000;
/** Ids read at once. */
const IDS_PER_READ = 500;
/** Sorts after every time in a key. */
const AFTER_TIMES = ':';

export function recentKey({ workdir, kind, type, at, session, order, id }: MemoryDocument): string {
  return key('recent', workdir, kind, type ?? '', newestFirst(at, `${session ?? ''} ${order}`), id);
}

/** The ids of all documents of a workdir, in pages. */
export async function* documentIdsAt(view: ViewReader, workdir: string): AsyncGenerator<readonly string[]> {
  for await (const rows of rowPages(view, below('recent', workdir), IDS_PER_READ))
    yield rows.map(([rowKey]) => keyParts(rowKey).at(-1)!);
}

export function recentRow({
  agent,
  session,
  at,
  files,
  concepts,
  outcome,
  decisions,
  tests,
}: MemoryDocument): StoredRow {
  return {
    ...{ agent, session, at, files, concepts, outcome },
    ...(decisions === undefined ? {} : { hasDecisions: true }),
    ...(tests === undefined ? {} : { tests }),
  };
}

export function sameRecent(one: MemoryDocument, other: MemoryDocument): boolean {
  return (
    recentKey(one) === recentKey(other) && canonicalJson(recentRow(one)) === canonicalJson(recentRow(other))
  );
}

/**
 * Yields the documents of these workdirs in a span of time, newest first, equal times by id, those without a time last.
 * Pages vary in length; stop iterating when you have enough.
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

/** One stream for each kind and type in a workdir, found by seeking from one to the next. */
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
  /** Rows read and not yet yielded begin at `at`. Empty after `refill`: the stream has ended. */
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

/** Merges rows in order until one of the streams needs a refill. */
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
