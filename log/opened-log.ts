// The log while it is open: appends go through one queue, reads are checked, and while the log is rewritten both wait.
import { Admission } from './admission.ts';
import { AppendQueue } from './append.ts';
import { readCursor, readCursors } from './cursors.ts';
import { AnnalsError } from './errors.ts';
import type { Anchor, AppendOutcome, LogEvent } from './event.ts';
import { listening, StoreExchange } from './exchange.ts';
import { blankingOf, forgettingPositions } from './forget.ts';
import { HeadFile } from './head-file.ts';
import type { Log, LogFiles, LogWorld, RewriteReport, VerifyProblem } from './log.ts';
import {
  chainAt,
  idsOfFact,
  type ReadContext,
  type ReadEvent,
  readIds,
  readIdsByPrefix,
  readPage,
  readPositionsOf,
  readSessionPage,
  scanRecords,
} from './read.ts';
import { Readers } from './readers.ts';
import { hexOf } from './record.ts';
import { sampleSizes } from './sample.ts';
import { type Store, storeError } from './store.ts';
import type { SwapFiles } from './swap.ts';
import { isTable } from './tables/leveldb-file.ts';
import type { Tail } from './tail.ts';
import { Tombstones } from './tombstones.ts';
import { adopted, FORGETTING, idsForgottenBy, runsOf } from './transfer/adopt.ts';
import { readCarried } from './transfer/carry.ts';
import { verifyLog } from './verify.ts';

export interface OpenedLogSettings {
  /** LevelDB's folder. */
  readonly directory: string;
  /** Where the head is written beside the log; null for none (a log in memory). */
  readonly headFile: string | null;
  readonly world: LogWorld;
  readonly files: LogFiles;
  /** What rewriting needs. */
  readonly swap: SwapFiles | undefined;
}

export class OpenedLog implements Log {
  readonly logId: string;
  readonly origin: string;
  readonly damage: VerifyProblem[] = [];
  readonly #store: Store;
  readonly #settings: OpenedLogSettings;
  readonly #queue: AppendQueue;
  readonly #listeners = new Set<(head: Anchor) => void>();
  readonly #tombstones = new Tombstones();
  readonly #admission: Admission;
  readonly #headFile: HeadFile;
  readonly #exchange: StoreExchange;
  readonly #readers = new Readers();
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
      onCommit: () => this.#announce(),
    });
    this.#admission = new Admission({
      queue: this.#queue,
      tombstones: this.#tombstones,
      now: () => settings.world.now(),
      blankingOf: (ids) => this.#blankingOf(ids),
    });
  }

  head(): Anchor {
    const { position, chain } = this.#queue.durable;
    return { logId: this.logId, position, chain: hexOf(chain) };
  }

  async append(...[tellings, options]: Parameters<Log['append']>): ReturnType<Log['append']> {
    this.#refuseIfClosed();
    return this.#admission.append(tellings, options);
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

  async tellings(fact: Parameters<Log['tellings']>[0]): Promise<readonly LogEvent[]> {
    const events = await this.getMany(idsOfFact(fact));
    return events.filter((event) => event !== undefined);
  }

  carry(request: Parameters<Log['carry']>[0]): ReturnType<Log['carry']> {
    return this.#read((context) => readCarried(context, request));
  }

  async adopt(events: Parameters<Log['adopt']>[0]): ReturnType<Log['adopt']> {
    this.#refuseIfClosed();
    const outcomes: AppendOutcome[] = [];
    for (const run of runsOf(events)) {
      const isForgetting = run[0]!.header.type === FORGETTING;
      const raw = await this.#blankingOf(isForgetting ? idsForgottenBy(run[0]!) : []);
      outcomes.push(...(await this.#queue.append(run.map(adopted), {}, raw)));
      if (isForgetting) await this.#noteForgetting(run[0]!.header.id);
    }
    return outcomes;
  }

  cursor(key: string): Promise<unknown | undefined> {
    return this.#read(async ({ store }) => (await readCursor(store, key))?.value);
  }

  cursors(prefix = ''): ReturnType<Log['cursors']> {
    return this.#read(({ store }) => readCursors(store, prefix));
  }

  standing(anchor: Anchor): ReturnType<Log['standing']> {
    return this.#read(async ({ store, logId, tail }) => {
      if (anchor.logId !== logId) return 'foreign';
      if (anchor.position === 0) return 'held';
      if (anchor.position > tail.position) return 'ahead';
      const chain = await chainAt(store, logId, anchor.position, tail);
      return hexOf(chain) === anchor.chain ? 'held' : 'foreign';
    });
  }

  onHead(listener: (head: Anchor) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  verify(options: Parameters<Log['verify']>[0] = {}): ReturnType<Log['verify']> {
    return this.#read(async ({ store, logId, tail }) => {
      const head = await this.compareHeadFile();
      const isForgotten = (id: string) => this.#tombstones.holds(id);
      const { directory, headFile, files } = this.#settings;
      // A log in memory has no files beside it.
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
    await this.#queue.whenReadable();
    this.#refuseIfClosed();
    this.#readers.enter();
    try {
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
    if (swap === undefined) throw new TypeError('This log was opened without what rewriting needs.');
    const bytesBefore = await this.bytes();
    const told = listening(onStep);
    let events = 0;
    await this.#queue.exchange(async (durable) => {
      await this.#readers.gone();
      const rewritten = await this.#exchange.rewrite(durable, swap, { onStep: told.step, onProgress });
      events = rewritten.events;
      return rewritten.tail;
    });
    told.rethrow();
    return { events, bytesBefore, bytesAfter: await this.bytes() };
  }

  /** A failed write may be on disk all the same, and then what it forgot is forgotten. */
  async #noteForgettings(tail: Tail): Promise<void> {
    for (const event of await readForgettings({ ...this.#context(), tail })) this.#tombstones.add(event);
  }

  /** Reads what was forgotten before. Once, when the log is opened. */
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

  /** What the head beside the log says that the log does not; null when they agree. */
  compareHeadFile(): Promise<VerifyProblem | null> {
    return this.#headFile.problem();
  }

  async #close(): Promise<void> {
    await this.#admission.admitted();
    await this.#queue.idle();
    try {
      if (this.#store.status === 'open') await this.saveHead();
    } finally {
      await this.#store.close();
    }
  }

  async #read<T>(read: (context: ReadContext) => Promise<T>): Promise<T> {
    await this.#queue.whenReadable();
    if (this.#store.status !== 'open') {
      this.#refuseIfClosed();
      // An append tries again to open the store anew; else who only reads would find it shut for ever.
      await this.#queue.append([]);
    }
    this.#readers.enter();
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

  /** Later, so that a listener that throws cannot stop the queue. */
  #announce(): void {
    const head = this.head();
    for (const listener of this.#listeners) queueMicrotask(() => listener(head));
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
