// An open log: appends go through one queue, reads are checked, and both wait while the log is rewritten.
import { Admission } from './append/admission.ts';
import { AppendQueue } from './append/append-queue.ts';
import { blankingOf, forgettingPositions } from './erase/blank-events.ts';
import { Tombstones } from './erase/tombstones.ts';
import { AnnalsError } from './errors.ts';
import type { AppendOutcome, Checkpoint, LogEvent } from './event.ts';
import { hexOf } from './format/record.ts';
import type { Tail } from './format/tail.ts';
import { isTable } from './leveldb-files/leveldb-file.ts';
import type { Log, LogFiles, LogWorld, LogWriter, RewriteReport, VerifyProblem } from './log.ts';
import { FORGETTING, idsForgottenBy, runsOf, toCheckedEvent } from './merge/imported-events.ts';
import { readExported } from './merge/read-exported.ts';
import { readCursor, readCursors } from './read/cursors.ts';
import {
  chainAt,
  idsOfDedupeKey,
  type ReadContext,
  type ReadEvent,
  readIds,
  readIdsByPrefix,
  readPage,
  readPositionsOf,
  readSessionPage,
  scanRecords,
} from './read/read-events.ts';
import { Readers } from './read/readers.ts';
import { sampleSizes } from './read/sample.ts';
import type { SwapFiles } from './rewrite/swap-folders.ts';
import { type Store, storeError } from './store.ts';
import { listening, StoreExchange } from './store-exchange.ts';
import { HeadFile } from './verify/head-file.ts';
import { verifyLog } from './verify/verify-log.ts';

export interface OpenedLogSettings {
  /** LevelDB's folder. */
  readonly directory: string;
  /** Path of the head file; null for none (a log in memory). */
  readonly headFile: string | null;
  readonly world: LogWorld;
  readonly files: LogFiles;
  /** File operations for rewriting. */
  readonly swap: SwapFiles | undefined;
}

export class OpenedLog implements Log {
  readonly logId: string;
  readonly origin: string;
  readonly damage: VerifyProblem[] = [];
  readonly #store: Store;
  readonly #settings: OpenedLogSettings;
  readonly #queue: AppendQueue;
  readonly #onHead = new Set<(head: Checkpoint) => void>();
  readonly #onWrite = new Set<() => void>();
  readonly #tombstones = new Tombstones();
  readonly #admission: Admission;
  readonly #headFile: HeadFile;
  readonly #exchange: StoreExchange;
  readonly #readers = new Readers();
  readonly #writers = new Readers();
  readonly #writer: LogWriter = {
    append: (newEvents, options) => this.#admission.append(newEvents, options),
    importEvents: (events, options) => this.#importEvents(events, options),
  };
  /** Resolved unless work runs exclusively. Every write awaits it, so writes keep their order. */
  #open: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | null = null;

  constructor(
    store: Store,
    meta: { logId: string; origin: string },
    tail: Tail,
    settings: OpenedLogSettings,
  ) {
    this.logId = meta.logId;
    this.origin = meta.origin;
    this.#store = store;
    this.#settings = settings;
    this.#headFile = new HeadFile(settings.files, settings.headFile, this);
    this.#exchange = new StoreExchange({
      store,
      directory: settings.directory,
      swap: settings.swap,
      logId: meta.logId,
      origin: meta.origin,
      isForgotten: (id) => this.#tombstones.holds(id),
      onDamage: (problem) => this.damage.push(problem),
    });
    this.#queue = new AppendQueue({
      store,
      origin: meta.origin,
      world: settings.world,
      tail,
      reopen: async (durable) => {
        const tail = await this.#exchange.reopen(durable);
        await this.#noteForgettings(tail);
        return tail;
      },
      onCommit: (moved) => this.#announce(moved),
    });
    this.#admission = new Admission({
      queue: this.#queue,
      tombstones: this.#tombstones,
      now: () => settings.world.now(),
      blankingOf: (ids) => this.#blankingOf(ids),
    });
  }

  head(): Checkpoint {
    const { position, chain } = this.#queue.durable;
    return { logId: this.logId, position, chain: hexOf(chain) };
  }

  async append(...[newEvents, options]: Parameters<Log['append']>): ReturnType<Log['append']> {
    this.#refuseIfClosed();
    return this.#writing(() => this.#writer.append(newEvents, options));
  }

  #blankingOf(ids: readonly string[]): ReturnType<typeof blankingOf> {
    return this.#read(({ store, logId }) => blankingOf(store, { logId, origin: this.origin }, ids));
  }

  async #noteForgetting(id: string): Promise<void> {
    const event = await this.get(id);
    if (event?.type === FORGETTING) this.#tombstones.add(event);
  }

  page(request: Parameters<Log['page']>[0]): ReturnType<Log['page']> {
    return this.#read((context) => readPage(context, request));
  }

  pageBySession(request: Parameters<Log['pageBySession']>[0]): ReturnType<Log['pageBySession']> {
    return this.#read((context) => readSessionPage(context, request));
  }

  async get(id: string): Promise<LogEvent | undefined> {
    const [event] = await this.getMany([id]);
    return event;
  }

  getMany(ids: readonly string[]): Promise<readonly (LogEvent | undefined)[]> {
    return this.#read(async (context) => (await readIds(context, ids)).map(known));
  }

  idsByPrefix(prefix: string, limit: number): Promise<readonly string[]> {
    return this.#read(({ store }) => readIdsByPrefix(store, prefix, limit));
  }

  async byDedupeKey(dedupeKey: Parameters<Log['byDedupeKey']>[0]): Promise<readonly LogEvent[]> {
    const events = await this.getMany(idsOfDedupeKey(dedupeKey));
    return events.filter((event) => event !== undefined);
  }

  exportPage(request: Parameters<Log['exportPage']>[0]): ReturnType<Log['exportPage']> {
    return this.#read((context) => readExported(context, request));
  }

  async importEvents(...[events, options]: Parameters<Log['importEvents']>): ReturnType<Log['importEvents']> {
    this.#refuseIfClosed();
    return this.#writing(() => this.#writer.importEvents(events, options));
  }

  async exclusively<T>(work: (writer: LogWriter) => Promise<T>): Promise<T> {
    this.#refuseIfClosed();
    const result = this.#open.then(async () => {
      await this.#writers.gone();
      return work(this.#writer);
    });
    this.#open = result.catch(() => undefined);
    return result;
  }

  async #writing<T>(write: () => Promise<T>): Promise<T> {
    await this.#open;
    this.#writers.enter();
    try {
      return await write();
    } finally {
      this.#writers.leave();
    }
  }

  async #importEvents(
    ...[events, options = {}]: Parameters<Log['importEvents']>
  ): ReturnType<Log['importEvents']> {
    const outcomes: AppendOutcome[] = [];
    const runs = runsOf(events);
    for (const [index, run] of runs.entries()) {
      const isForgetting = run[0]!.header.type === FORGETTING;
      const raw = await this.#blankingOf(isForgetting ? idsForgottenBy(run[0]!) : []);
      const own = index === runs.length - 1 ? options : {};
      outcomes.push(...(await this.#queue.append(run.map(toCheckedEvent), own, raw)));
      if (isForgetting) await this.#noteForgetting(run[0]!.header.id);
    }
    if (runs.length === 0) await this.#queue.append([], options);
    return outcomes;
  }

  cursor(key: string): Promise<unknown | undefined> {
    return this.#read(async ({ store }) => (await readCursor(store, key))?.value);
  }

  cursors(prefix = ''): ReturnType<Log['cursors']> {
    return this.#read(({ store }) => readCursors(store, prefix));
  }

  compareCheckpoint(checkpoint: Checkpoint): ReturnType<Log['compareCheckpoint']> {
    return this.#read(async ({ store, logId, tail }) => {
      if (checkpoint.logId !== logId) return 'foreign';
      if (checkpoint.position === 0) return 'held';
      if (checkpoint.position > tail.position) return 'ahead';
      const chain = await chainAt(store, logId, checkpoint.position, tail);
      return hexOf(chain) === checkpoint.chain ? 'held' : 'foreign';
    });
  }

  onHead(listener: (head: Checkpoint) => void): () => void {
    this.#onHead.add(listener);
    return () => this.#onHead.delete(listener);
  }

  onWrite(listener: () => void): () => void {
    this.#onWrite.add(listener);
    return () => this.#onWrite.delete(listener);
  }

  async verify(options: Parameters<Log['verify']>[0] = {}): ReturnType<Log['verify']> {
    // A read within another could wait for a rewrite that waits for the other.
    const head = await this.compareHeadFile();
    return this.#read(async ({ store, logId, tail }) => {
      const isForgotten = (id: string) => this.#tombstones.holds(id);
      const { directory, headFile, files } = this.#settings;
      // A log in memory has no table files.
      const tables = headFile === null ? undefined : files.wholeFiles?.(directory, isTable);
      const forgottenIds = () => this.#tombstones.ids();
      const { startThread } = files;
      return verifyLog({
        ...{ store, logId, origin: this.origin, tail, head, isForgotten, forgottenIds, tables, startThread },
        ...options,
      });
    });
  }

  forgotten(id: string): ReturnType<Log['forgotten']> {
    return this.#tombstones.find(id);
  }

  async *scan(look: Parameters<Log['scan']>[0]): ReturnType<Log['scan']> {
    await this.#enter();
    try {
      this.#refuseIfClosed();
      yield* scanRecords(this.#context(), look);
    } catch (error) {
      throw storeError(error, 'The log could not be read');
    } finally {
      this.#readers.leave();
    }
  }

  async rewrite({ onStep, onProgress }: Parameters<Log['rewrite']>[0] = {}): Promise<RewriteReport> {
    this.#refuseIfClosed();
    const { swap } = this.#settings;
    if (swap === undefined)
      throw new TypeError('This log was opened without the file operations for rewriting.');
    const bytesBefore = await this.bytes();
    const listener = listening(onStep);
    let events = 0;
    await this.#queue.exchange(async (durable) => {
      await this.#readers.gone();
      const rewritten = await this.#exchange.rewrite(durable, swap, { onStep: listener.step, onProgress });
      events = rewritten.events;
      return rewritten.tail;
    });
    listener.rethrow();
    return { events, bytesBefore, bytesAfter: await this.bytes() };
  }

  /** A failed write may still be on disk, and then its forgetting counts. */
  async #noteForgettings(tail: Tail): Promise<void> {
    for (const event of await readForgettings({ ...this.#context(), tail })) this.#tombstones.add(event);
  }

  /** Reads all earlier forgettings. Called once, when the log is opened. */
  async readTombstones(): Promise<void> {
    for (const event of await this.forgettings()) this.#tombstones.add(event);
  }

  forgettings(): ReturnType<Log['forgettings']> {
    return this.#read(readForgettings);
  }

  sample(most: number): ReturnType<Log['sample']> {
    return this.#read((context) => sampleSizes(context, most));
  }

  async bytes(): Promise<number> {
    return this.#settings.headFile === null ? 0 : this.#settings.files.folderBytes(this.#settings.directory);
  }

  saveHead(options?: Parameters<Log['saveHead']>[0]): Promise<boolean> {
    return this.#headFile.save(options);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** The difference between the head file and the log; null when they agree. */
  compareHeadFile(): Promise<VerifyProblem | null> {
    return this.#headFile.problem();
  }

  async #close(): Promise<void> {
    await this.#open;
    await this.#writers.gone();
    await this.#queue.idle();
    try {
      if (this.#store.status === 'open') await this.saveHead();
    } finally {
      await this.#store.close();
    }
  }

  /** Begins a read. What replaces the store waits until it ended. */
  async #enter(): Promise<void> {
    do {
      await this.#queue.whenReadable();
      if (this.#store.status === 'open') continue;
      this.#refuseIfClosed();
      // An append retries opening the store; without it, a process that only reads would never get it open again.
      await this.#queue.append([]);
    } while (this.#queue.isReopening);
    this.#readers.enter();
  }

  async #read<T>(read: (context: ReadContext) => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await read(this.#context());
    } catch (error) {
      throw storeError(error, 'The log could not be read');
    } finally {
      this.#readers.leave();
    }
  }

  #context(): ReadContext {
    return {
      store: this.#store,
      logId: this.logId,
      tail: this.#queue.durable,
      isForgotten: (id) => this.#tombstones.holds(id),
    };
  }

  /** Calls listeners in a microtask, so that one that throws cannot stop the queue. */
  #announce(moved: boolean): void {
    for (const listener of this.#onWrite) queueMicrotask(listener);
    if (!moved) return;
    const head = this.head();
    for (const listener of this.#onHead) queueMicrotask(() => listener(head));
  }

  #refuseIfClosed(): void {
    if (this.#closed !== null) throw new AnnalsError('LOG_CLOSED', 'The log was closed.');
  }
}

async function readForgettings(context: ReadContext): Promise<LogEvent<'memory.forgotten'>[]> {
  const events = await readPositionsOf(context, await forgettingPositions(context.store));
  return events.filter((event) => event.type === 'memory.forgotten');
}

function known(event: ReadEvent | undefined): LogEvent | undefined {
  return event === undefined || event.type === 'unknown' ? undefined : event;
}
