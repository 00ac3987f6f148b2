// Moving views: first views by pages of the log, second views by pages of their upstream's feed, or from its
// rows where the feed cannot tell. The same code serves the live views, a rebuild and a rebuild aside.
import type { Fact, Log, LogPage } from '../log/index.ts';
import { type DeadLetter, foldPage, rowSubject } from './dead-letter.ts';
import type { KvView } from './kv-view.ts';
import type { Change, FirstProjector, SecondProjector } from './projector.ts';
import type { ViewPage } from './view-page.ts';

export interface FillOptions {
  /** Events, or changes, or rows, in one page and so in one batch. */
  readonly pageSize: number;
  /** Events done of all that were to do. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Looked at between pages: a runner that closes stops at a page's end. */
  readonly stopped?: (() => boolean) | undefined;
}

export interface FirstFill {
  readonly projector: FirstProjector;
  readonly view: KvView;
  /** Whether anybody follows this generation. */
  readonly followed: boolean;
}

/**
 * Brings first views up to the log's head as it is when the last page is read. Each page is read, checked and
 * decoded once for all of them, and the next one is read while they fold.
 */
export async function fillFromLog(
  log: Log,
  fills: readonly FirstFill[],
  options: FillOptions,
): Promise<void> {
  const start = Math.min(...fills.map(({ view }) => view.position));
  let total = log.head().position - start;
  if (fills.length === 0 || total <= 0) return;
  options.onProgress?.(0, total);
  let coming = readPage(log, start, options.pageSize);
  for (;;) {
    const page = await coming;
    if (page.events.length === 0 || options.stopped?.()) return;
    coming = readPage(log, page.end.position, options.pageSize);
    // It is awaited in the next round; until then a failure must not count as unhandled.
    coming.catch(() => undefined);
    await allOrFirstError(fills.map((fill) => foldLogPage(fill, page)));
    total = Math.max(total, page.end.position - start);
    options.onProgress?.(page.end.position - start, total);
  }
}

function readPage(log: Log, after: number, limit: number): Promise<LogPage> {
  return log.page({ after, limit });
}

/** Waits for all also when one fails: nobody may still be writing when the error is answered. */
async function allOrFirstError(work: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work))
    if (outcome.status === 'rejected') throw outcome.reason;
}

async function foldLogPage({ projector, view, followed }: FirstFill, page: LogPage): Promise<void> {
  if (page.end.position <= view.position) return;
  const facts = page.events.filter(
    (event) => event.type !== 'unknown' && event.position > view.position,
  ) as readonly Fact[];
  const writes = view.page();
  const deadLetters = await foldPage(
    projector.name,
    facts,
    writes,
    (some) => projector.fold(some, writes),
    (fact) => fact.id,
  );
  await view.commit(writes, { log: page.end, upstream: null, followed, deadLetters });
}

export interface SecondFill {
  readonly projector: SecondProjector;
  readonly view: KvView;
  readonly upstream: KvView;
  readonly followed: boolean;
}

/** Whether a view can go on with its upstream's feed from where it stands. */
export function canFollow(view: KvView, upstream: KvView): boolean {
  const place = view.anchor.upstream;
  return place !== null && place.generation === upstream.generation && upstream.feedReaches(place.seq);
}

/** Brings a second view up to its upstream through the feed. It must be able to follow. */
export async function fillFromFeed(fill: SecondFill, options: FillOptions): Promise<void> {
  const { view, upstream, followed } = fill;
  const { generation } = upstream;
  for (;;) {
    const { seq } = view.anchor.upstream!;
    if (seq >= upstream.anchor.seq || options.stopped?.()) break;
    const page = await upstream.changes(seq, options.pageSize);
    const writes = view.page();
    const deadLetters = await foldChanges(fill, page.changes, writes);
    // Until the feed is read out, the view stands at the log position where it stood.
    const log = page.seq >= upstream.anchor.seq ? upstream.anchor.log : view.anchor.log;
    await view.commit(writes, { log, upstream: { generation, seq: page.seq }, followed, deadLetters });
  }
  if (view.anchor.upstream!.seq === upstream.anchor.seq && view.position !== upstream.position)
    await view.moveTo({ log: upstream.anchor.log });
}

/** Fills an empty generation from its upstream's rows. Only the last write says that it is filled. */
export async function fillFromRows(fill: SecondFill, options: FillOptions): Promise<void> {
  const { view, upstream } = fill;
  const place = { generation: upstream.generation, seq: upstream.anchor.seq };
  for await (const rows of allRows(upstream, options.pageSize)) {
    if (options.stopped?.()) return;
    const changes = rows.map(
      ([key, row]): Change => ({ key, before: null, after: upstream.feed === 'rows' ? row : null }),
    );
    const writes = view.page();
    const deadLetters = await foldChanges(fill, changes, writes);
    await view.commit(writes, { log: null, upstream: null, followed: false, deadLetters });
  }
  await view.moveTo({ log: upstream.anchor.log, upstream: place });
}

/** All rows of a view in key order, in pages. */
export async function* allRows(
  view: KvView,
  pageRows: number,
): AsyncGenerator<readonly (readonly [string, unknown])[]> {
  let after: string | undefined;
  for (;;) {
    const rows = await view.range('', { limit: pageRows, ...(after === undefined ? {} : { after }) });
    if (rows.length === 0) return;
    yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1)![0];
  }
}

function foldChanges(
  { projector, upstream }: SecondFill,
  changes: readonly Change[],
  writes: ViewPage,
): Promise<readonly DeadLetter[]> {
  return foldPage(
    projector.name,
    changes,
    writes,
    (some) => projector.fold(some, writes, upstream),
    rowSubject,
  );
}
