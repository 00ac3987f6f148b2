// What one pass over the log has to see: every entry as it was written, in order, and the indexes as the events call
// for. Events and indexes may be seen by two of them, each in a thread of its own, whose sums are then put together.
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

/** What everything is held against. */
export interface ScanExpectation {
  readonly logId: string;
  readonly origin: string;
  readonly isForgotten: (eventId: string) => boolean;
}

/** What the events call for, less what the indexes hold, by index: number and sum. Nothing, when both were seen. */
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
  readonly #balances = [this.#ids, this.#sessions, this.#forgettings];
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

  /** Events come in the order of their positions. */
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

  totals(): ScanTotals {
    return { events: this.events, sums: this.#balances.map((one) => one.sum()) };
  }

  /** Takes over what another has seen. */
  add({ events, sums }: ScanTotals): void {
    this.events += events;
    this.#balances.forEach((one, index) => {
      one.add(...sums[index]!);
    });
  }

  /** Whether there is nothing that the other lacks, and the events reach as far as the log does. */
  isComplete(position: number): boolean {
    return this.#balances.every((one) => one.isEven()) && this.#metaSeen && this.events >= position;
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
    this.#ids.give(identityKey(header.id), position);
    if (header.session !== null)
      this.#sessions.give(sessionKey(this.#groups.of(header.agent, header.session), position));
    if (header.type === 'memory.forgotten') this.#forgettings.give(forgottenKey(position));
    return true;
  }
}

/** Whether two lots of keys are the same, in whatever order they come: their number and a sum of 32 bits. */
class MultisetSum {
  #count = 0;
  #sum = 0;

  give(key: Buffer, position = 0): void {
    this.add(1, mixed(key, position));
  }

  take(key: Buffer, position = 0): void {
    this.add(-1, -mixed(key, position));
  }

  add(count: number, sum: number): void {
    this.#count += count;
    this.#sum = (this.#sum + sum) | 0;
  }

  sum(): readonly [number, number] {
    return [this.#count, this.#sum];
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
