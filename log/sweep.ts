// One pass over the whole log that answers only whether everything is as it was written: what is wrong, and where, is
// for verify.ts to say, which is asked when the answer here is no. So nothing is looked up singly. That an index leads to
// every event, and to nothing else, is seen from sums: of what the events call for, and of what the index holds. That
// LevelDB finds a key as well as it reads through is seen from the checksums of its tables, filters and indexes.
import type { Telling } from './event.ts';
import { eventId } from './ids.ts';
import {
  CURSOR,
  FORGOTTEN,
  forgottenKey,
  IDENTITY,
  identityKey,
  META,
  OWN,
  positionOf,
  readPosition,
  SESSION,
  SessionGroups,
  sessionKey,
} from './keys.ts';
import {
  type BinaryHash,
  bodyProblem,
  genesis,
  type Header,
  isBlank,
  openHeader,
  openValue,
} from './record.ts';
import type { Store } from './store.ts';
import { isTableSound } from './tables/sound-table.ts';
import type { Tail } from './tail.ts';

const ENTRIES_PER_READ = 2_000;
/** LevelDB's own options; a store in memory passes over them. */
const READ_ALL: object = { highWaterMarkBytes: 1024 * 1024, fillCache: false };

export interface SweepRequest {
  readonly store: Store;
  /** LevelDB's tables, as they stand on disk. */
  readonly tables: AsyncIterable<{ readonly content: Buffer }>;
  readonly logId: string;
  readonly origin: string;
  readonly tail: Tail;
  readonly isForgotten: (eventId: string) => boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** How many events there are, when all is well; null when something is not, or cannot be read. */
export async function sweep(request: SweepRequest): Promise<number | null> {
  const { store, tail, onProgress } = request;
  const seen = new Seen(request);
  try {
    if (!(await areTablesWhole(request))) return null;
    const iterator = store.iterator(READ_ALL);
    try {
      for (let entries = await iterator.nextv(ENTRIES_PER_READ); entries.length > 0; ) {
        // LevelDB reads on while these are checked.
        const coming = iterator.nextv(ENTRIES_PER_READ);
        coming.catch(() => {});
        for (const [key, value] of entries) if (!seen.isGood(key, value)) return null;
        onProgress?.(Math.min(seen.events, tail.position), tail.position);
        entries = await coming;
      }
    } finally {
      await iterator.close();
    }
  } catch {
    // The walk that names problems meets it again.
    return null;
  }
  return seen.isComplete() ? seen.events : null;
}

/** A table that LevelDB is just writing is not whole either; the walk that looks everything up then decides. */
async function areTablesWhole({ tables }: SweepRequest): Promise<boolean> {
  for await (const { content } of tables) if (!isTableSound(content)) return false;
  return true;
}

class Seen {
  readonly #request: SweepRequest;
  readonly #groups = new SessionGroups();
  /** What the events call for, less what the indexes hold: nothing, in the end. */
  readonly #ids = new Balance();
  readonly #sessions = new Balance();
  readonly #forgettings = new Balance();
  #chain: BinaryHash;
  #originSeq = 0;
  #metaSeen = false;
  events = 0;

  constructor(request: SweepRequest) {
    this.#request = request;
    this.#chain = genesis(request.logId);
  }

  isGood(key: Buffer, value: Buffer): boolean {
    const position = positionOf(key);
    if (position !== null) return this.#event(position, value);
    switch (key[0]) {
      case IDENTITY:
        if (key.length !== 17 || value.length !== 8) return false;
        this.#ids.take(key, readPosition(value, 0));
        return true;
      case SESSION:
        if (key.length !== 25 || value.length !== 0) return false;
        this.#sessions.take(key);
        return true;
      case FORGOTTEN:
        if (key.length !== 9 || value.length !== 0) return false;
        this.#forgettings.take(key);
        return true;
      case CURSOR:
        return openValue(key, value) !== undefined;
      case OWN:
        return key.length === 1 && openValue(key, value) !== undefined;
      case META:
        return key.length === 1 && this.#isOurs(openValue(key, value));
      default:
        return false;
    }
  }

  isComplete(): boolean {
    const balanced = [this.#ids, this.#sessions, this.#forgettings].every((one) => one.isEven());
    return balanced && this.#metaSeen && this.events >= this.#request.tail.position;
  }

  #isOurs(meta: unknown): boolean {
    const { logId, origin } = (meta ?? {}) as { logId?: unknown; origin?: unknown };
    this.#metaSeen = true;
    return logId === this.#request.logId && origin === this.#request.origin;
  }

  #event(position: number, record: Buffer): boolean {
    this.events += 1;
    if (position !== this.events) return false;
    const opened = openHeader(record, this.#chain);
    if ('kind' in opened) return false;
    this.#chain = opened.chain;
    const { header } = opened;
    const forgotten = this.#request.isForgotten(header.id);
    if (!(forgotten && isBlank(record))) {
      if (bodyProblem(record, opened.bodyStart) !== null) return false;
      if (forgotten && header.type !== 'memory.forgotten') return false;
    }
    return this.#isHeaderGood(header, position);
  }

  #isHeaderGood(header: Header, position: number): boolean {
    if (header.id !== eventId(header as unknown as Telling)) return false;
    if (header.origin === this.#request.origin) {
      if (header.originSeq !== this.#originSeq + 1) return false;
      this.#originSeq = header.originSeq;
    }
    this.#ids.give(identityKey(header.id), position);
    if (header.session !== null)
      this.#sessions.give(sessionKey(this.#groups.of(header.agent, header.session), position));
    if (header.type === 'memory.forgotten') this.#forgettings.give(forgottenKey(position));
    return true;
  }
}

/** Whether two lots of keys are the same, in whatever order they come: their number and a sum of 32 bits. */
class Balance {
  #count = 0;
  #sum = 0;

  give(key: Buffer, position = 0): void {
    this.#count += 1;
    this.#sum = (this.#sum + mixed(key, position)) | 0;
  }

  take(key: Buffer, position = 0): void {
    this.#count -= 1;
    this.#sum = (this.#sum - mixed(key, position)) | 0;
  }

  isEven(): boolean {
    return this.#count === 0 && this.#sum === 0;
  }
}

/** A key's four-byte pieces and where it leads, mixed as Murmur does. */
function mixed(key: Buffer, position: number): number {
  let sum = Math.imul(position | 0, 0x297a2d39);
  for (let at = 1; at + 4 <= key.length; at += 4)
    sum = Math.imul(sum ^ (sum >>> 16) ^ key.readInt32BE(at), 0x85ebca6b);
  return sum ^ (sum >>> 13);
}
