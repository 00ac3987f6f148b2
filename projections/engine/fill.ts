// Moving views: first views by pages of the log, second views by what a page of their upstream has just changed.
// A follower that does not stand where its upstream stands is brought there first: by the feed, or from all
// rows where the feed cannot tell. The same code serves the live views, a rebuild and a rebuild aside.
import type { EventData, Log, LogPage } from '../../log/index.ts';
import type {
  Change,
  DownstreamProjector,
  LogProjector,
  Projector,
  ViewWriter,
} from './contract/projector.ts';
import { type OptionalPause, paced } from './contract/right-of-way.ts';
import { foldPage, rowSubject } from './store/dead-letter.ts';
import type { CommitOptions, KvView } from './store/kv-view.ts';
import type { RowChange, ViewPage } from './store/view-page.ts';

/** Rows of its upstream that a follower folds and writes at a time while others are let in: some two turns, 5 ms; of 80, 25 ms. */
const ROWS_AT_A_TIME = 16;
/**
 * Events of a page that are read, checked and decoded at a time while others are let in: 4 ms. The page is folded whole
 * all the same.
 */
const EVENTS_AT_A_TIME = 120;
/** And bytes of their bodies, about. */
const BYTES_AT_A_TIME = 1024 * 1024;
/** Pieces of a page: where bodies are large it ends before it has all its events. */
const PIECES_MAX = 9;

export interface FillOptions {
  /** Events, or changes, or rows, in one page and so in one batch. */
  readonly pageSize: number;
  /** Events done of all that were to do. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Looked at between pages: a runner that closes stops at a page's end. */
  readonly stopped?: (() => boolean) | undefined;
  /** Leaves the last events of the log where they are fewer than a page: more of them are on their way. */
  readonly wholePages?: boolean | undefined;
  /** While others are to be let in between units of work; else a fill is one piece. */
  readonly givingWay?: GivingWay | undefined;
}

/** How a fill lets others in. */
export interface GivingWay {
  readonly pause: OptionalPause;
  /** Whether reading a page, and what moves a view that an index follows, are to be cut into short steps. */
  readonly isWanted: () => boolean;
  /** Runs what moves a view. Where an index follows that view, nobody reads meanwhile, and the index moves in the same step. */
  moving<T>(view: KvView, move: () => Promise<T>): Promise<T>;
}

/** A view with those that are moved along with it, page by page; they stand where it stands. */
export interface Fill<P extends Projector = Projector> {
  readonly projector: P;
  readonly view: KvView;
  /** Whether anybody follows this generation, so that its feed is kept. */
  readonly followed: boolean;
  readonly followers: readonly Fill<DownstreamProjector>[];
}

/**
 * Brings first views up to the log's head as it is when the last page is read. Each page is read, checked and
 * decoded once for all of them, and the next one is read while they fold.
 */
export async function fillFromLog(
  log: Log,
  fills: readonly Fill<LogProjector>[],
  options: FillOptions,
): Promise<void> {
  const start = Math.min(...fills.map(({ view }) => view.position));
  let total = log.head().position - start;
  if (fills.length === 0 || total <= 0) return;
  const { pageSize, wholePages = false } = options;
  // The end is the head, not an empty page: of a log as it was a page may hold nothing where every event is later.
  const next = (after: number): Promise<LogPage> | null => {
    const left = log.head().position - after;
    if (left <= 0 || (wholePages && left < pageSize)) return null;
    const page = readPage(log, after, options);
    // It is awaited in the next round; until then a failure must not count as unhandled.
    page.catch(() => undefined);
    return page;
  };
  options.onProgress?.(0, total);
  for (let at = start, coming = next(start); coming !== null; ) {
    const page = await coming;
    if (page.end.position <= at || options.stopped?.()) break;
    at = page.end.position;
    coming = next(at);
    await allOrFirstError(fills.map((fill) => foldLogPage(fill, page, options)));
    total = Math.max(total, page.end.position - start);
    options.onProgress?.(page.end.position - start, total);
  }
  for (const fill of fills) await settle(fill, options);
}

/** As many events as a page holds, or as many bodies. */
async function readPage(
  log: Log,
  after: number,
  { pageSize, givingWay }: Pick<FillOptions, 'pageSize' | 'givingWay'>,
): Promise<LogPage> {
  if (givingWay?.isWanted() !== true) return log.page({ after, limit: pageSize });
  const events: LogPage['events'][number][] = [];
  for (let position = after, pieces = 1; ; pieces++) {
    const limit = Math.min(EVENTS_AT_A_TIME, pageSize - events.length);
    const { events: some, end } = await log.page({ after: position, limit, bytesMax: BYTES_AT_A_TIME });
    events.push(...some);
    const isWhole = events.length === pageSize || pieces === PIECES_MAX;
    if (isWhole || end.position >= log.head().position) return { events, end };
    position = end.position;
    await givingWay.pause();
  }
}

/** Waits for all also when one fails: nobody may still be writing when the error is answered. */
async function allOrFirstError(work: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work))
    if (outcome.status === 'rejected') throw outcome.reason;
}

async function foldLogPage(
  fill: Fill<LogProjector>,
  page: LogPage,
  { givingWay }: FillOptions,
): Promise<void> {
  const { projector, view, followed } = fill;
  if (page.end.position <= view.position) return;
  const events = page.events.filter(
    (event) => event.type !== 'unknown' && event.position > view.position,
  ) as readonly EventData[];
  const writes = view.page();
  const writer = writerOf(writes, givingWay);
  const deadLetters = await foldPage(
    projector.name,
    events,
    writes,
    (some) => projector.fold(some, writer),
    (event) => event.id,
    givingWay?.pause,
  );
  const to = { log: page.end, upstream: null, followed, before: tellsBefore(fill), deadLetters };
  await passOn(fill, await commit(view, writes, to, givingWay), givingWay);
}

function writerOf(page: ViewPage, givingWay: GivingWay | undefined): ViewWriter {
  return givingWay === undefined ? page : paced(page, givingWay.pause);
}

async function commit(
  view: KvView,
  page: ViewPage,
  to: CommitOptions,
  givingWay: GivingWay | undefined,
): Promise<readonly RowChange[]> {
  if (givingWay === undefined) return view.commit(page, to);
  await givingWay.pause();
  return givingWay.moving(view, () => view.commit(page, to));
}

/**
 * Hands what a page changed to the followers as it lies in memory: nothing is read back from disk. When the
 * process dies before they have written it, the feed tells them later, or the rows where no feed is kept.
 */
async function passOn(
  { view, followers }: Fill,
  changed: readonly RowChange[],
  givingWay: GivingWay | undefined,
): Promise<void> {
  if (followers.length === 0 || changed.length === 0) return;
  const changes = changed.map(
    ({ key, before, row }): Change => ({
      key,
      before: view.feed === 'rows' && before !== undefined ? view.rowOf(before) : null,
      after: row ?? null,
    }),
  );
  for (const follower of followers) {
    const pieces = givingWay?.isWanted() === true ? piecesOf(changes, follower.projector) : [changes];
    for (const [index, piece] of pieces.entries()) {
      // Only the last one says that the follower has the page: cut off before, it takes the page again.
      const { log, upstream } = follower.view.checkpoint;
      const feedPosition = index === pieces.length - 1 ? followerPosition(view) : { log, upstream };
      await foldChanges(follower, view, piece, feedPosition, givingWay);
    }
  }
}

/** The changes in pieces of about so many rows; rows that the projector takes together stay together. */
function piecesOf(
  changes: readonly Change[],
  { together = (key) => key }: DownstreamProjector,
): readonly (readonly Change[])[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const name = together(change.key);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [change]);
    else group.push(change);
  }
  const pieces: Change[][] = [];
  let last: Change[] | null = null;
  for (const group of groups.values()) {
    if (last === null || last.length + group.length > ROWS_AT_A_TIME) {
      last = [];
      pieces.push(last);
    }
    last.push(...group);
  }
  return pieces;
}

/** After the last page: whom no change concerned stands where its upstream stands all the same. */
async function settle({ view, followers }: Fill, options: FillOptions): Promise<void> {
  for (const follower of followers) {
    if (
      follower.view.checkpoint.upstream?.seq === view.checkpoint.seq &&
      follower.view.position !== view.position
    )
      await moveTo(follower.view, { log: view.checkpoint.log }, options);
    await settle(follower, options);
  }
}

async function moveTo(view: KvView, to: Partial<FillTarget>, { givingWay }: FillOptions): Promise<void> {
  const move = () => view.moveTo(to);
  await (givingWay === undefined ? move() : givingWay.moving(view, move));
}

/** Whether a view can go on with its upstream's feed from where it stands. */
export function canFollow(view: KvView, upstream: KvView): boolean {
  const feedPosition = view.checkpoint.upstream;
  return (
    feedPosition !== null &&
    feedPosition.generation === upstream.generation &&
    upstream.feedReaches(feedPosition.seq)
  );
}

/** Brings a second view up to its upstream through the feed. It must be able to follow. */
export async function fillFromFeed(
  fill: Fill<DownstreamProjector>,
  upstream: KvView,
  options: FillOptions,
): Promise<void> {
  const { view } = fill;
  const { generation } = upstream;
  for (;;) {
    const { seq } = view.checkpoint.upstream!;
    if (seq >= upstream.checkpoint.seq || options.stopped?.()) break;
    const page = await upstream.changes(seq, options.pageSize);
    // Until the feed is read out, the view stands at the log position where it stood.
    const log = page.seq >= upstream.checkpoint.seq ? upstream.checkpoint.log : view.checkpoint.log;
    const feedPosition = { log, upstream: { generation, seq: page.seq } };
    await foldChanges(fill, upstream, page.changes, feedPosition, options.givingWay);
  }
  if (view.checkpoint.upstream!.seq === upstream.checkpoint.seq && view.position !== upstream.position)
    await moveTo(view, { log: upstream.checkpoint.log }, options);
  await settle(fill, options);
}

/** Fills an empty generation from its upstream's rows. Only the last write says that it is filled. */
export async function fillFromRows(
  fill: Fill<DownstreamProjector>,
  upstream: KvView,
  options: FillOptions,
): Promise<void> {
  for await (const rows of allRows(upstream, options.pageSize)) {
    if (options.stopped?.()) return;
    const changes = rows.map(([key, row]): Change => ({ key, before: null, after: row }));
    await foldChanges(fill, upstream, changes, { log: null, upstream: null }, options.givingWay);
  }
  await fill.view.moveTo(followerPosition(upstream));
  await settle(fill, options);
}

type FillTarget = Pick<CommitOptions, 'log' | 'upstream'>;

/** Where a follower stands that has all of its upstream. */
export function followerPosition({ generation, checkpoint: { seq, log } }: KvView): FillTarget {
  return { log, upstream: { generation, seq } };
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

async function foldChanges(
  fill: Fill<DownstreamProjector>,
  upstream: KvView,
  changes: readonly Change[],
  feedPosition: FillTarget,
  givingWay: GivingWay | undefined,
): Promise<void> {
  const { projector, view, followed } = fill;
  const writes = view.page();
  const writer = writerOf(writes, givingWay);
  const deadLetters = await foldPage(
    projector.name,
    changes,
    writes,
    (some) => projector.fold(some, writer, upstream),
    rowSubject,
    givingWay?.pause,
  );
  const to = { ...feedPosition, followed, before: tellsBefore(fill), deadLetters };
  await passOn(fill, await commit(view, writes, to, givingWay), givingWay);
}

/** Followers of whole rows are told what was there before. */
function tellsBefore({ projector, followers }: Fill): boolean {
  return projector.feed === 'rows' && followers.length > 0;
}
