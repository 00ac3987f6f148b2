// One pass over the whole log that answers only whether everything is as it was written: what is wrong, and where, is
// for verify-log.ts to say, which is asked when the answer here is no. So nothing is looked up singly. That an index leads to
// every event, and to nothing else, is seen from sums: of what the events call for, and of what the index holds. That
// LevelDB finds a key as well as it reads through is seen from the checksums of its tables, filters and indexes.
// Of a large log the events are checked in a thread of its own, while this one reads: half the time is hashing.
import { EVENT, positionOf } from '../format/keys.ts';
import type { Tail } from '../format/tail.ts';
import { isTableSound } from '../leveldb-files/table-checksums.ts';
import type { LogFiles } from '../log.ts';
import type { Store } from '../store.ts';
import { IntegrityScan, type ScanExpectation } from './scan-state.ts';
import { type CheckingThread, startChecking } from './scan-thread-client.ts';

const ENTRIES_PER_READ = 2_000;
/** LevelDB's own options; a store in memory passes over them. */
const READ_ALL: object = { highWaterMarkBytes: 1024 * 1024, fillCache: false };
/** Starting a thread costs as much as checking some thousand events. */
const EVENTS_FOR_THREAD = 10_000;
const EVENTS_FROM = Buffer.from([EVENT]);
const EVENTS_END = Buffer.from([EVENT + 1]);

export interface IntegrityScanRequest extends ScanExpectation {
  readonly store: Store;
  /** LevelDB's tables, as they stand on disk. */
  readonly tables: AsyncIterable<{ readonly content: Buffer }>;
  readonly tail: Tail;
  readonly forgottenIds: () => Iterable<string>;
  /** Where there is none, everything is checked in this thread. */
  readonly startThread: LogFiles['startThread'];
  readonly onProgress?: (done: number, total: number) => void;
}

/** How many events there are, when all is well; null when something is not, or cannot be read. */
export async function scanIntegrity(request: IntegrityScanRequest): Promise<number | null> {
  const { position } = request.tail;
  const thread = position < EVENTS_FOR_THREAD ? null : startChecking(request);
  try {
    const seen = new IntegrityScan(request);
    const good = thread === null ? await seeAlone(seen, request) : await seeNextToLog(thread, seen, request);
    return good && seen.isComplete(position) ? seen.events : null;
  } catch {
    // The walk that names problems meets it again.
    return null;
  } finally {
    await thread?.stop();
  }
}

async function seeAlone(seen: IntegrityScan, request: IntegrityScanRequest): Promise<boolean> {
  if (!(await eachTable(request, isTableSound))) return false;
  return eachPage(request, {}, (entries) => {
    for (const [key, value] of entries) if (!seen.isGood(key, value)) return false;
    reportProgress(request, seen.events);
    return true;
  });
}

/** Events, indexes and tables side by side: while the other thread is behind with the events, this one does the rest. */
async function seeNextToLog(
  thread: CheckingThread,
  seen: IntegrityScan,
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
    good && entries.every(([key, value]) => seen.isOtherGood(key, value));
  const unlessWrong = async (work: Promise<boolean>): Promise<void> => {
    // A failure ends the others too, and they are waited for: the snapshot is theirs.
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
    if (good) seen.add(await thread.tally());
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
      const coming = iterator.nextv(ENTRIES_PER_READ);
      coming.catch(() => {});
      if (!(await isGood(entries))) return false;
      entries = await coming;
    }
    return true;
  } finally {
    await iterator.close();
  }
}

/** A table that LevelDB is just writing is not whole either; the walk that looks everything up then decides. */
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
