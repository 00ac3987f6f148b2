// Verifies the whole log. When LevelDB's table files can be read, integrity-scan.ts first checks in one pass whether the
// log is intact. If it is not, or cannot be scanned, this module walks the log in key order and reports every problem. It
// also looks up each event's keys one by one, because LevelDB finds a key through other bytes (bloom filter, index
// block, restart points) than a scan reads: an index can work for one and fail for the other.

import type { NewEvent } from '../event.ts';
import { eventId } from '../format/ids.ts';
import {
  CURSOR,
  eventKey,
  FORGOTTEN,
  forgottenKey,
  IDENTITY,
  identityKey,
  META,
  META_KEY,
  OWN,
  OWN_KEY,
  positionOf,
  readPosition,
  SESSION,
  SessionGroups,
  sessionKey,
} from '../format/keys.ts';
import {
  type BinaryHash,
  bodyProblem,
  claimedChain,
  genesis,
  type Header,
  isBlank,
  type OpenedHeader,
  openHeader,
  openValue,
} from '../format/record.ts';
import type { Tail } from '../format/tail.ts';
import type { ProblemKind, VerifyProblem, VerifyReport } from '../log.ts';
import { type Store, storeError } from '../store.ts';
import { type IntegrityScanRequest, scanIntegrity } from './integrity-scan.ts';

const CHUNK_ENTRIES = 2000;
const READ_AHEAD_BYTES = 512 * 1024;
/** Problems listed of one kind; the rest are only counted. */
const PROBLEMS_SHOWN_MAX = 100;

export interface VerifyRequest {
  readonly store: Store;
  readonly logId: string;
  readonly origin: string;
  /** The end of the log as the open log knows it. */
  readonly tail: Tail;
  /** The problem that the head file shows; null when there is none. */
  readonly head: VerifyProblem | null;
  /** Whether an event was forgotten, so that its body must be gone. */
  readonly isForgotten: (eventId: string) => boolean;
  readonly forgottenIds: IntegrityScanRequest['forgottenIds'];
  readonly startThread: IntegrityScanRequest['startThread'];
  readonly onProgress?: (done: number, total: number) => void;
  /** LevelDB's table files, read from disk; undefined when there are none. */
  readonly tables: IntegrityScanRequest['tables'] | undefined;
}

export async function verifyLog(request: VerifyRequest): Promise<VerifyReport> {
  const { tables, head } = request;
  const events = tables === undefined || head !== null ? null : await scanIntegrity({ ...request, tables });
  if (events !== null) return { ok: true, events, problems: [] };
  const walk = new Walk(request);
  try {
    await walk.run();
  } catch (error) {
    walk.problem(
      'store',
      null,
      `LevelDB cannot read its own files: ${storeError(error, 'Reading failed').code}`,
    );
  }
  if (head !== null) walk.problem('head', head.position, head.message);
  return walk.report();
}

/** An event's key and record, as the walk found them. */
interface Found {
  readonly key: Buffer;
  readonly position: number;
  readonly record: Buffer;
}

class Walk {
  readonly #request: VerifyRequest;
  readonly #groups = new SessionGroups();
  readonly #shown: VerifyProblem[] = [];
  readonly #counts = new Map<ProblemKind, number>();
  #chain: BinaryHash;
  #position = 0;
  #originSeq = 0;
  #good = 0;
  #withSession = 0;
  #identities = 0;
  #sessions = 0;
  #forgettings = 0;
  #forgettingKeys = 0;
  #metaSeen = false;

  constructor(request: VerifyRequest) {
    this.#request = request;
    this.#chain = genesis(request.logId);
  }

  async run(): Promise<void> {
    const { store, tail } = this.#request;
    // A snapshot, so that concurrent appends are not reported as stray keys.
    const snapshot = store.snapshot();
    const iterator = store.iterator({ snapshot, ...{ highWaterMarkBytes: READ_AHEAD_BYTES } });
    try {
      for (;;) {
        const entries: [Buffer, Buffer][] = await iterator.nextv(CHUNK_ENTRIES);
        if (entries.length === 0) break;
        await this.#events(eventsOf(entries), snapshot);
        for (const [key, value] of entries) if (positionOf(key) === null) this.#other(key, value);
        await this.#lookUpOthers(entries, snapshot);
        this.#request.onProgress?.(Math.min(this.#position, tail.position), tail.position);
      }
    } finally {
      await iterator.close();
      await snapshot.close();
    }
    if (this.#position < tail.position)
      this.problem('gap', tail.position, `the log ends at ${this.#position} instead of ${tail.position}`);
    if (!this.#metaSeen) this.problem('meta', null, 'the meta record is missing');
    this.#compareCounts();
  }

  problem(kind: ProblemKind, position: number | null, message: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count <= PROBLEMS_SHOWN_MAX) this.#shown.push({ kind, position, message });
  }

  report(): VerifyReport {
    const more = [...this.#counts]
      .filter(([, count]) => count > PROBLEMS_SHOWN_MAX)
      .map(([kind, count]) => ({
        kind,
        position: null,
        message: `and ${count - PROBLEMS_SHOWN_MAX} more problems of this kind`,
      }));
    const problems = [...this.#shown, ...more];
    return { ok: problems.length === 0, events: this.#good, problems };
  }

  async #events(events: readonly Found[], snapshot: object): Promise<void> {
    if (events.length === 0) return;
    const opened = events.map((found) => this.#event(found));
    const keys = events.flatMap(({ key, position }, index) => {
      const header = opened[index];
      return header ? [key, identityKey(header.id), this.#sessionKey(header, position)] : [key];
    });
    const records = await this.#request.store.getMany(keys, { snapshot } as object);
    let at = 0;
    for (const [index, found] of events.entries()) {
      const { position, record } = found;
      if (!same(records[at++], record))
        this.problem('store', position, 'a lookup of the event finds another value than a scan');
      const header = opened[index];
      if (!header) continue;
      const identity = records[at++];
      if (identity === undefined) this.problem('id-index', position, 'the id index lacks the event');
      else if (identity.length !== 8 || readPosition(identity, 0) !== position)
        this.problem('id-index', position, 'the id index points to another position');
      const session = records[at++];
      if (header.session !== null && session === undefined)
        this.problem('session-index', position, 'the session index lacks the event');
      if (header.type === 'memory.forgotten' && !(await this.#knowsForgetting(position)))
        this.problem('forgotten', position, 'the index of forgettings lacks the event');
    }
  }

  async #knowsForgetting(position: number): Promise<boolean> {
    return (await this.#request.store.get(forgottenKey(position))) !== undefined;
  }

  /** An event without a session has no session key; its own key is used instead, so that every event has three keys. */
  #sessionKey(header: Header, position: number): Buffer {
    if (header.session === null) return eventKey(position);
    return sessionKey(this.#groups.of(header.agent, header.session), position);
  }

  #event({ position, record }: Found): Header | null {
    const expected = this.#position + 1;
    if (position > expected) {
      const missing = position === expected + 1 ? `${expected} is` : `${expected} to ${position - 1} are`;
      this.problem('gap', expected, `position ${missing} missing`);
    } else if (position < expected) {
      this.problem('stray', position, 'a position occurs twice or out of order');
    }
    this.#position = Math.max(this.#position, position);
    const claimed = claimedChain(record);
    const opened = openHeader(record, this.#chain);
    // Continues from the chain in the record, so that one wrong byte is one problem and not one for each later event.
    if (claimed !== null) this.#chain = claimed;
    if ('kind' in opened) {
      if (position === expected || opened.kind !== 'chain')
        this.problem(opened.kind, position, opened.message);
      return null;
    }
    this.#checkBody(record, opened, position);
    this.#checkHeader(opened.header, position);
    return opened.header;
  }

  #checkBody(record: Buffer, { header, bodyStart }: OpenedHeader, position: number): void {
    const forgotten = this.#request.isForgotten(header.id);
    if (forgotten && isBlank(record)) {
      this.#good += 1;
      return;
    }
    const wrong = bodyProblem(record, bodyStart);
    if (wrong !== null) this.problem(wrong.kind, position, wrong.message);
    else if (forgotten && header.type !== 'memory.forgotten')
      this.problem('forgotten', position, 'the event was forgotten, but its body is still here');
    else this.#good += 1;
  }

  #checkHeader(header: Header, position: number): void {
    if (header.id !== eventId(header as unknown as NewEvent))
      this.problem('header', position, 'the id does not match the header');
    // Only our own sequence must be complete: of another log's events we may have only a part.
    if (header.origin === this.#request.origin) {
      if (header.originSeq !== this.#originSeq + 1)
        this.problem('origin', position, `origin sequence ${header.originSeq} follows ${this.#originSeq}`);
      this.#originSeq = header.originSeq;
    }
    if (header.session !== null) this.#withSession += 1;
    if (header.type === 'memory.forgotten') this.#forgettings += 1;
  }

  #other(key: Buffer, value: Buffer): void {
    if (key[0] === IDENTITY && key.length === 17) this.#identities += 1;
    else if (key[0] === SESSION && key.length === 25 && value.length === 0) this.#sessions += 1;
    else if (key[0] === FORGOTTEN && key.length === 9 && value.length === 0) this.#forgettingKeys += 1;
    else if (key[0] === CURSOR) this.#cursor(key, value);
    else if (key[0] === META && key.length === 1) this.#meta(value);
    else if (key[0] === OWN && key.length === 1) this.#own(value);
    else this.problem('stray', null, `an unknown key, ${key.length} bytes long`);
  }

  #cursor(key: Buffer, value: Buffer): void {
    if (openValue(key, value) === undefined) this.problem('cursor', null, 'a cursor is damaged');
  }

  #meta(value: Buffer): void {
    this.#metaSeen = true;
    const meta = openValue(META_KEY, value) as { logId?: unknown; origin?: unknown } | undefined;
    if (meta === undefined) this.problem('meta', null, 'the meta record is damaged');
    else if (meta.logId !== this.#request.logId || meta.origin !== this.#request.origin)
      this.problem('meta', null, 'the meta record names another log');
  }

  #own(value: Buffer): void {
    if (openValue(OWN_KEY, value) === undefined)
      this.problem('origin', null, 'the record of our own sequence is damaged');
  }

  /** Looks up cursors and the meta record one by one too; index entries were looked up from their events. */
  async #lookUpOthers(entries: readonly [Buffer, Buffer][], snapshot: object): Promise<void> {
    const few = entries.filter(([key]) => key[0] === CURSOR || key[0] === META || key[0] === OWN);
    if (few.length === 0) return;
    const keys = few.map(([key]) => key);
    const records = await this.#request.store.getMany(keys, { snapshot } as object);
    for (const [index, record] of records.entries())
      if (!same(record, few[index]![1]))
        this.problem('store', null, 'a lookup of a key finds another value than a scan');
  }

  /**
   * Each event was found in both indexes, so surplus entries have no event. When events are missing or unreadable,
   * surplus entries are expected and the cause is already reported.
   */
  #compareCounts(): void {
    if ((['gap', 'header', 'chain'] as const).some((kind) => this.#counts.has(kind))) return;
    if (this.#forgettingKeys !== this.#forgettings)
      this.problem(
        'forgotten',
        null,
        `${this.#forgettingKeys} entries for ${this.#forgettings} memory.forgotten events`,
      );
    if (this.#identities !== this.#position)
      this.problem('id-index', null, `${this.#identities} entries for ${this.#position} events`);
    if (this.#sessions !== this.#withSession)
      this.problem(
        'session-index',
        null,
        `${this.#sessions} entries for ${this.#withSession} events with a session`,
      );
  }
}

function eventsOf(entries: readonly [Buffer, Buffer][]): Found[] {
  return entries.flatMap(([key, record]) => {
    const position = positionOf(key);
    return position === null ? [] : [{ key, position, record }];
  });
}

function same(one: Buffer | undefined, other: Buffer): boolean {
  return one?.equals(other) === true;
}
