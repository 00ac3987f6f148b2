// One pass over the whole log that answers only whether it is intact; if not, verify-log.ts finds what is wrong and
// where. Nothing is looked up key by key. Sums prove that an index has an entry for every event and no other: one over
// the expected entries, one over the stored ones. The checksums of tables, filters and indexes prove that lookups find
// what a scan reads. In a large log a worker thread checks the events while this thread reads: half the time is hashing.
import { EVENT, positionOf } from '../format/keys.ts';
import type { Tail } from '../format/tail.ts';
import { isTableSound } from '../leveldb-files/table-checksums.ts';
import type { LogFiles } from '../log.ts';
import type { Store } from '../store.ts';
import { IntegrityScan, type ScanExpectation } from './scan-state.ts';
import { type CheckingThread, startChecking } from './scan-thread-client.ts';

const ENTRIES_PER_READ = 2_000;
/** LevelDB's own options; a store in memory ignores them. */
const READ_ALL: object = { highWaterMarkBytes: 1024 * 1024, fillCache: false };
/** Starting a thread costs as much as checking a few thousand events. */
const EVENTS_FOR_THREAD = 10_000;
const EVENTS_FROM = Buffer.from([EVENT]);
const EVENTS_END = Buffer.from([EVENT + 1]);

export interface IntegrityScanRequest extends ScanExpectation {
  readonly store: Store;
  /** LevelDB's table files, read from disk. */
  readonly tables: AsyncIterable<{ readonly content: Buffer }>;
  readonly tail: Tail;
  readonly forgottenIds: () => Iterable<string>;
  /** Without it, everything is checked in this thread. */
  readonly startThread: LogFiles['startThread'];
  readonly onProgress?: (done: number, total: number) => void;
}

/** The number of events when the log is intact; null when something is wrong or cannot be read. */
export async function scanIntegrity(request: IntegrityScanRequest): Promise<number | null> {
  const { position } = request.tail;
  const thread = position < EVENTS_FOR_THREAD ? null : startChecking(request);
  try {
    const scan = new IntegrityScan(request);
    const good =
      thread === null ? await scanAlone(scan, request) : await scanWithThread(thread, scan, request);
    return good && scan.isComplete(position) ? scan.events : null;
  } catch {
    // verify-log.ts meets the same error again and names it.
    return null;
  } finally {
    await thread?.stop();
  }
}

async function scanAlone(scan: IntegrityScan, request: IntegrityScanRequest): Promise<boolean> {
  if (!(await eachTable(request, isTableSound))) return false;
  return eachPage(request, {}, (entries) => {
    for (const [key, value] of entries) if (!scan.isGood(key, value)) return false;
    reportProgress(request, scan.events);
    return true;
  });
}

/** Checks events, indexes and tables concurrently: this thread does the rest while the other one checks the events. */
async function scanWithThread(
  thread: CheckingThread,
  scan: IntegrityScan,
  request: IntegrityScanRequest,
): Promise<boolean> {
  const snapshot = request.store.snapshot();
  let good = true;
  let position = 0;
  const checkEvents = async (entries: Entries): Promise<boolean> => {
    for (const [key] of entries) if (positionOf(key) !== ++position) return false;
    await thread.check(entries.map(([, record]) => record));
    reportProgress(request, thread.checked);
    return good;
  };
  const checkOthers = (entries: Entries): boolean =>
    good && entries.every(([key, value]) => scan.isOtherGood(key, value));
  const unlessWrong = async (work: Promise<boolean>): Promise<void> => {
    // A failure stops the others too; wait for all of them, because they share the snapshot.
    good = (await work.catch(() => false)) && good;
  };
  try {
    await Promise.all(
      [
        eachPage(request, { snapshot, gte: EVENTS_FROM, lt: EVENTS_END }, checkEvents),
        eachPage(request, { snapshot, lt: EVENTS_FROM }, checkOthers),
        eachPage(request, { snapshot, gte: EVENTS_END }, checkOthers),
        eachTable(request, (content) => good && isTableSound(content)),
      ].map(unlessWrong),
    );
    if (good) scan.add(await thread.tally());
    return good;
  } finally {
    await snapshot.close();
  }
}

type Entries = readonly (readonly [key: Buffer, value: Buffer])[];

/** False as soon as a page is not good. */
async function eachPage(
  { store }: IntegrityScanRequest,
  range: object,
  isGood: (entries: Entries) => boolean | Promise<boolean>,
): Promise<boolean> {
  const iterator = store.iterator({ ...READ_ALL, ...range });
  try {
    for (let entries = await iterator.nextv(ENTRIES_PER_READ); entries.length > 0; ) {
      // LevelDB reads on while these are checked.
      const next = iterator.nextv(ENTRIES_PER_READ);
      next.catch(() => {});
      if (!(await isGood(entries))) return false;
      entries = await next;
    }
    return true;
  } finally {
    await iterator.close();
  }
}

/** A table that LevelDB is still writing is incomplete too; verify-log.ts then decides. */
async function eachTable(
  { tables }: IntegrityScanRequest,
  isGood: (content: Buffer) => boolean,
): Promise<boolean> {
  for await (const { content } of tables) if (!isGood(content)) return false;
  return true;
}

function reportProgress({ onProgress, tail }: IntegrityScanRequest, events: number): void {
  onProgress?.(Math.min(events, tail.position), tail.position);
}
