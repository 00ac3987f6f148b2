// The append queue: calls that wait at the same time are written together, in one synced LevelDB batch. While one
// batch is being synced the next is checked, hashed and prepared, but it is written only after the first has
// finished: two concurrent batches were observed to land in the wrong order (94 of 2,000 tries), and a failed batch
// must not be followed by one that builds on it.

import type { RawWrite } from '../erase/blank-events.ts';
import { AnnalsError } from '../errors.ts';
import type { AppendOutcome } from '../event.ts';
import { cursorKey, identityKey, readPosition } from '../format/keys.ts';
import { sealValue } from '../format/record.ts';
import type { Tail } from '../format/tail.ts';
import type { AppendOptions, CursorWrite } from '../log.ts';
import { SYNCED, storeError } from '../store.ts';
import {
  BATCH_EVENTS_MAX,
  BatchMaker,
  type BatchMakerOptions,
  type Entry,
  type PreparedBatch,
  type Queued,
} from './batch.ts';
import type { CheckedEvent } from './new-event.ts';

export interface AppendQueueOptions extends BatchMakerOptions {
  readonly tail: Tail;
  /** Reopens the store after a failed write and returns its durable end. */
  readonly reopen: (durable: Tail) => Promise<Tail>;
  /** @param moved whether the batch had events; otherwise it had cursors alone */
  readonly onCommit: (moved: boolean) => void;
}

/** One call of `append`, until all of it is on disk. */
interface Call extends Queued {
  readonly done: Promise<readonly AppendOutcome[]>;
  readonly resolve: (outcomes: readonly AppendOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

export class AppendQueue {
  readonly #options: AppendQueueOptions;
  readonly #batches: BatchMaker;
  readonly #waiting: Call[] = [];
  /** Every call that is not settled. */
  readonly #open = new Set<Call>();
  /** Ids that wait or are being written, with the first entry of each. */
  readonly #pending = new Map<string, Entry>();
  #durable: Tail;
  /** The end of the log when everything prepared is on disk. */
  #planned: Tail;
  #prepared: PreparedBatch<Call> | null = null;
  #writing: PreparedBatch<Call> | null = null;
  /** Settled once `#writing` is on disk or has failed. */
  #written: Promise<void> = Promise.resolve();
  /** Set while the store is reopened. */
  #recovery: Promise<void> | null = null;
  /** The store needs to be reopened; when that failed, the next append tries again. */
  #broken = false;

  constructor(options: AppendQueueOptions) {
    this.#options = options;
    this.#batches = new BatchMaker(options);
    this.#durable = options.tail;
    this.#planned = options.tail;
  }

  /** The last synced event. */
  get durable(): Tail {
    return this.#durable;
  }

  /** `raw` is written together with the cursors: the records that a `memory.forgotten` blanks. */
  append(
    checked: readonly CheckedEvent[],
    options: AppendOptions = {},
    raw: readonly RawWrite[] = [],
  ): Promise<readonly AppendOutcome[]> {
    const cursors = [...(options.cursors ?? []).map(cursorRecord), ...raw];
    const call = this.#admit(checked, cursors);
    if (this.#broken && this.#writing === null) this.#recover();
    void this.#lookUp(call);
    return call.done;
  }

  /** Resolves when no call is waiting, whether the calls succeeded or failed. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open].map((call) => call.done));
    // Of a batch whose calls were all rejected.
    await this.#written;
    await this.whenReadable();
  }

  /** Whether the store is being reopened, or replaced. */
  get isReopening(): boolean {
    return this.#recovery !== null;
  }

  /** Resolves when the store can be read: at once, unless it is being reopened. */
  async whenReadable(): Promise<void> {
    while (this.#recovery !== null) await this.#recovery;
  }

  /** Lets `work` replace the store while nothing is written or read. Waiting calls continue from the tail it returns, or after a failure from the reopened store. */
  async exchange(work: (durable: Tail) => Promise<Tail>): Promise<void> {
    while (this.#open.size > 0 || this.#writing !== null || this.#recovery !== null) await this.idle();
    let failure: unknown;
    this.#recovery = this.#reopen(async (durable) => {
      try {
        return await work(durable);
      } catch (error) {
        failure = error;
        // Clean up before any further append.
        return this.#options.reopen(durable);
      }
    });
    await this.#recovery;
    if (failure !== undefined) throw failure;
  }

  #admit(checked: readonly CheckedEvent[], cursors: readonly RawWrite[]): Call {
    const entries = checked.map((one): Entry => {
      const first = this.#pending.get(one.id) ?? null;
      const entry: Entry = { checked: one, first, position: undefined };
      if (first === null) this.#pending.set(one.id, entry);
      return entry;
    });
    let resolve: Call['resolve'] = () => {};
    let reject: Call['reject'] = () => {};
    const done = new Promise<readonly AppendOutcome[]>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    const call: Call = { entries, cursors, outcomes: [], next: 0, ready: false, done, resolve, reject };
    this.#open.add(call);
    this.#waiting.push(call);
    return call;
  }

  /** Finds the ids that the log already holds. Ids queued earlier are in `pending`, so no duplicate is missed. */
  async #lookUp(call: Call): Promise<void> {
    try {
      await this.whenReadable();
      if (!this.#open.has(call)) return;
      const fresh = call.entries.filter((entry) => entry.first === null);
      const found = await this.#options.store.getMany(fresh.map((entry) => identityKey(entry.checked.id)));
      for (const [index, position] of found.entries())
        if (position !== undefined) fresh[index]!.position = readPosition(position, 0);
    } catch (error) {
      if (!this.#open.has(call)) return;
      this.#broken = true;
      this.#failAll(storeError(error, 'The log could not be read'));
      if (this.#writing === null) this.#recover();
      return;
    }
    call.ready = true;
    this.#pump();
  }

  /** Prepares the next batch and starts writing it if possible; called after every change of state. */
  #pump(): void {
    if (this.#recovery !== null || this.#broken) return;
    if (
      this.#prepared === null &&
      (this.#writing === null ? this.#waiting[0]?.ready : this.#fullBatchWaits())
    )
      this.#prepared = this.#prepare();
    if (this.#writing !== null || this.#prepared === null) return;
    this.#writing = this.#prepared;
    this.#prepared = null;
    this.#written = this.#commit(this.#writing);
    this.#pump();
  }

  /** While a batch is being synced only a full one is prepared; a smaller one waits for more events. */
  #fullBatchWaits(): boolean {
    let events = 0;
    for (const call of this.#waiting) {
      if (!call.ready) return false;
      events += call.entries.length - call.next;
      if (events >= BATCH_EVENTS_MAX) return true;
    }
    return false;
  }

  #prepare(): PreparedBatch<Call> {
    const prepared = this.#batches.prepare(this.#waiting, this.#planned);
    this.#planned = prepared.tail;
    return prepared;
  }

  async #commit({ batch, tail, entries, finished }: PreparedBatch<Call>): Promise<void> {
    try {
      if (batch.length > 0) await batch.write(SYNCED);
      else await batch.close();
    } catch (error) {
      this.#writing = null;
      this.#broken = true;
      this.#failAll(storeError(error, 'The events could not be written'));
      this.#recover();
      return;
    }
    this.#writing = null;
    const moved = tail.position !== this.#durable.position;
    this.#durable = tail;
    for (const entry of entries) this.#pending.delete(entry.checked.id);
    for (const call of finished) this.#settle(call);
    this.#options.onCommit(moved);
    if (this.#broken) this.#recover();
    else this.#pump();
  }

  #settle(call: Call): void {
    this.#open.delete(call);
    for (const entry of call.entries)
      if (this.#pending.get(entry.checked.id) === entry) this.#pending.delete(entry.checked.id);
    call.resolve(call.outcomes);
  }

  /**
   * Rejects the open calls: they may depend on what failed, so none may be written after it. A batch that is being written
   * goes on: the calls that it finishes stay open, and its ids stay known to a call that comes again.
   */
  #failAll(error: AnnalsError): void {
    const writing = this.#writing;
    void this.#prepared?.batch.close();
    this.#prepared = null;
    this.#planned = writing?.tail ?? this.#durable;
    this.#waiting.length = 0;
    this.#pending.clear();
    for (const entry of writing?.entries ?? []) this.#pending.set(entry.checked.id, entry);
    for (const call of this.#open) {
      if (writing?.finished.includes(call)) continue;
      this.#open.delete(call);
      call.reject(error);
    }
  }

  #recover(): void {
    this.#recovery ??= this.#reopen(this.#options.reopen);
  }

  /** Reopens the store and continues from its actual end. When that fails, the next append tries again. */
  async #reopen(reopen: AppendQueueOptions['reopen']): Promise<void> {
    try {
      const tail = await reopen(this.#durable);
      this.#durable = tail;
      this.#planned = tail;
      this.#broken = false;
    } catch (error) {
      this.#broken = true;
      this.#failAll(storeError(error, 'The log could not be opened again'));
    }
    // In the same tick as the result, so that no append can run in between and wait for a finished recovery.
    this.#recovery = null;
    this.#pump();
  }
}

function cursorRecord({ key: name, value }: CursorWrite): RawWrite {
  if (value === undefined)
    throw new AnnalsError('INPUT_INVALID', 'A cursor without a value cannot be stored.', {
      hint: 'Nothing of this call was stored.',
    });
  const key = cursorKey(name);
  return { key, record: value === null ? null : sealValue(key, { key: name, value }) };
}
