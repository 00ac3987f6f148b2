// The state of one integrity scan: checks every entry, and sums the index entries that the events require and those
// that exist. Two scans may share the work, each in its own thread; their sums are added at the end.
import type { NewEvent } from '../event.ts';
import { eventId } from '../format/ids.ts';
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
} from '../format/keys.ts';
import {
  type BinaryHash,
  bodyProblem,
  genesis,
  type Header,
  isBlank,
  openHeader,
  openValue,
} from '../format/record.ts';

/** What the scan compares entries with. */
export interface ScanExpectation {
  readonly logId: string;
  readonly origin: string;
  readonly isForgotten: (eventId: string) => boolean;
}

/** The required entries minus the stored ones, for each index: count and sum. All zero after a complete scan of an intact log. */
export interface ScanTotals {
  readonly events: number;
  readonly sums: readonly (readonly [count: number, sum: number])[];
}

export class IntegrityScan {
  readonly #expected: ScanExpectation;
  readonly #groups = new SessionGroups();
  readonly #ids = new MultisetSum();
  readonly #sessions = new MultisetSum();
  readonly #forgettings = new MultisetSum();
  readonly #indexes = [this.#ids, this.#sessions, this.#forgettings];
  #chain: BinaryHash;
  #originSeq = 0;
  #metaSeen = false;
  events = 0;

  constructor(expected: ScanExpectation) {
    this.#expected = expected;
    this.#chain = genesis(expected.logId);
  }

  isGood(key: Buffer, value: Buffer): boolean {
    const position = positionOf(key);
    return position === null ? this.isOtherGood(key, value) : this.isEventGood(position, value);
  }

  /** Must be called in the order of the positions. */
  isEventGood(position: number, record: Buffer): boolean {
    this.events += 1;
    if (position !== this.events) return false;
    const opened = openHeader(record, this.#chain);
    if ('kind' in opened) return false;
    this.#chain = opened.chain;
    const { header } = opened;
    const forgotten = this.#expected.isForgotten(header.id);
    if (!(forgotten && isBlank(record))) {
      if (bodyProblem(record, opened.bodyStart) !== null) return false;
      if (forgotten && header.type !== 'memory.forgotten') return false;
    }
    return this.#isHeaderGood(header, position);
  }

  isOtherGood(key: Buffer, value: Buffer): boolean {
    switch (key[0]) {
      case IDENTITY:
        if (key.length !== 17 || value.length !== 8) return false;
        this.#ids.subtract(key, readPosition(value, 0));
        return true;
      case SESSION:
        if (key.length !== 25 || value.length !== 0) return false;
        this.#sessions.subtract(key);
        return true;
      case FORGOTTEN:
        if (key.length !== 9 || value.length !== 0) return false;
        this.#forgettings.subtract(key);
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

  totals(): ScanTotals {
    return { events: this.events, sums: this.#indexes.map((one) => one.sum()) };
  }

  /** Adds the totals of another scan. */
  add({ events, sums }: ScanTotals): void {
    this.events += events;
    this.#indexes.forEach((one, index) => {
      one.add(...sums[index]!);
    });
  }

  /** Whether indexes and events match, the meta record was seen, and the events reach the end of the log. */
  isComplete(position: number): boolean {
    return this.#indexes.every((one) => one.isZero()) && this.#metaSeen && this.events >= position;
  }

  #isOurs(meta: unknown): boolean {
    const { logId, origin } = (meta ?? {}) as { logId?: unknown; origin?: unknown };
    this.#metaSeen = true;
    return logId === this.#expected.logId && origin === this.#expected.origin;
  }

  #isHeaderGood(header: Header, position: number): boolean {
    if (header.id !== eventId(header as unknown as NewEvent)) return false;
    if (header.origin === this.#expected.origin) {
      if (header.originSeq !== this.#originSeq + 1) return false;
      this.#originSeq = header.originSeq;
    }
    this.#ids.include(identityKey(header.id), position);
    if (header.session !== null)
      this.#sessions.include(sessionKey(this.#groups.of(header.agent, header.session), position));
    if (header.type === 'memory.forgotten') this.#forgettings.include(forgottenKey(position));
    return true;
  }
}

/** Compares two multisets of keys, independent of their order: a count and a 32-bit sum. */
class MultisetSum {
  #count = 0;
  #sum = 0;

  include(key: Buffer, position = 0): void {
    this.add(1, mixed(key, position));
  }

  subtract(key: Buffer, position = 0): void {
    this.add(-1, -mixed(key, position));
  }

  add(count: number, sum: number): void {
    this.#count += count;
    this.#sum = (this.#sum + sum) | 0;
  }

  sum(): readonly [number, number] {
    return [this.#count, this.#sum];
  }

  isZero(): boolean {
    return this.#count === 0 && this.#sum === 0;
  }
}

/** Hash of a key's four-byte words and its position, mixed as in Murmur. */
function mixed(key: Buffer, position: number): number {
  let sum = Math.imul(position | 0, 0x297a2d39);
  for (let at = 1; at + 4 <= key.length; at += 4)
    sum = Math.imul(sum ^ (sum >>> 16) ^ key.readInt32BE(at), 0x85ebca6b);
  return sum ^ (sum >>> 13);
}
