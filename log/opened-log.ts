// The log while it is open: appends go through one queue, reads are checked, and while the log is rewritten both wait.
import { Admission } from './admission.ts';
import { AppendQueue } from './append.ts';
import { readCursor, readCursors } from './cursors.ts';
import { AnnalsError } from './errors.ts';
import type { Anchor, AppendOutcome, LogEvent } from './event.ts';
import { blankingOf, forgettingPositions } from './forget.ts';
import { headProblem, readHeadFile, writeHeadFile } from './head-file.ts';
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
import { hexOf } from './record.ts';
import { copyAside } from './rewrite.ts';
import { sampleSizes } from './sample.ts';
import { openStore, type Store, storeError } from './store.ts';
import {
  clearSwap,
  discardCopy,
  guarded,
  isLog,
  type OnRewriteStep,
  openAgain,
  type SwapFiles,
  settleSwap,
  swapIn,
} from './swap.ts';
import { isTable } from './tables/leveldb-file.ts';
import { readTail, type Tail } from './tail.ts';
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
  /** Set while there may be a copy of the log beside it that did not take its place. */
  #copying = false;
  #reads = 0;
  #whenUnread: (() => void) | null = null;
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
    this.#queue = new AppendQueue({
      store,
      origin: meta.origin,
      world: settings.world,
      tail,
      reopen: (durable) => this.#reopen(durable),
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
    this.#reads += 1;
    try {
      yield* scanRecords(this.#context(), look);
    } catch (error) {
      throw storeError(error, 'The log could not be read');
    } finally {
      this.#readEnded();
    }
  }

  async rewrite({ onStep, onProgress }: Parameters<Log['rewrite']>[0] = {}): Promise<RewriteReport> {
    this.#refuseIfClosed();
    const { directory, swap } = this.#settings;
    if (swap === undefined) throw new TypeError('This log was opened without what rewriting needs.');
    const bytesBefore = await this.bytes();
    const told = listening(onStep);
    let events = 0;
    await this.#queue.exchange(async (durable) => {
      await this.#unread();
      const isForgotten = (id: string) => this.#tombstones.holds(id);
      const { logId } = this;
      const store = this.#store;
      await guarded(directory, async () => {
        this.#copying = true;
        events = await copyAside(
          { store, directory, logId, files: swap, isForgotten, onProgress },
          told.step,
        );
        await swapIn(store, directory, swap, told.step);
        this.#copying = false;
      });
      return this.#afterOpening(durable);
    });
    told.rethrow();
    return { events, bytesBefore, bytesAfter: await this.bytes() };
  }

  /** Reads what was forgotten before. Once, when the log is opened. */
  async readTombstones(): Promise<void> {
    for (const event of await this.forgettings()) this.#tombstones.add(event);
  }

  forgettings(): ReturnType<Log['forgettings']> {
    return this.#read(async (context) => {
      const events = await readPositionsOf(context, await forgettingPositions(context.store));
      return events.filter((event) => event.type === 'memory.forgotten');
    });
  }

  sample(most: number): ReturnType<Log['sample']> {
    return this.#read((context) => sampleSizes(context, most));
  }

  async bytes(): Promise<number> {
    return this.#settings.headFile === null ? 0 : this.#settings.files.folderBytes(this.#settings.directory);
  }

  async saveHead({ acceptLoss = false }: { acceptLoss?: boolean } = {}): Promise<boolean> {
    const { files, headFile } = this.#settings;
    if (headFile === null) return false;
    const written = await readHeadFile(files, headFile);
    if (!acceptLoss && (await this.#problemOf(written)) !== null) return false;
    // Most commands only read; two syncs to write what stands there already would be a tenth of their time.
    if (isSame(written, this.head())) return true;
    try {
      await writeHeadFile(files, headFile, this.head());
    } catch (error) {
      throw storeError(error, 'The head beside the log could not be written');
    }
    return true;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** What the head beside the log says that the log does not; null when they agree. */
  async compareHeadFile(): Promise<VerifyProblem | null> {
    const { files, headFile } = this.#settings;
    if (headFile === null) return null;
    return this.#problemOf(await readHeadFile(files, headFile));
  }

  async #problemOf(written: Anchor | 'unreadable' | null): Promise<VerifyProblem | null> {
    if (written === null || written === 'unreadable') return headProblem(written, 'held', 0);
    return headProblem(written, await this.standing(written), this.#queue.durable.position);
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
    this.#reads += 1;
    try {
      return await read(this.#context());
    } catch (error) {
      throw storeError(error, 'The log could not be read');
    } finally {
      this.#readEnded();
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

  #readEnded(): void {
    this.#reads -= 1;
    if (this.#reads === 0) this.#whenUnread?.();
  }

  /** Resolves when nobody reads. */
  async #unread(): Promise<void> {
    if (this.#reads === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenUnread = resolve;
    });
    this.#whenUnread = null;
  }

  async #reopen(durable: Tail): Promise<Tail> {
    const { directory, swap } = this.#settings;
    // Before the lock is let go: a copy that stays behind would be older than what is told from now on.
    const isOurs = this.#copying && this.#store.status === 'open';
    if (swap !== undefined && isOurs && (await isLog(directory, swap))) await discardCopy(directory, swap);
    this.#copying = false;
    await this.#store.close();
    if (swap === undefined) await openStore(this.#store);
    else {
      await settleSwap(directory, swap);
      await openAgain(this.#store, directory, swap);
      await clearSwap(this.#store, directory, swap);
    }
    return this.#afterOpening(durable);
  }

  /** The end of the log that was opened again, held against the end as it was known. */
  async #afterOpening(durable: Tail): Promise<Tail> {
    const tail = await readTail(this.#store, this.logId, this.origin);
    const chain = await chainAt(this.#store, this.logId, Math.min(durable.position, tail.position), tail);
    if (tail.position < durable.position || chain !== durable.chain)
      this.damage.push({
        kind: 'head',
        position: durable.position,
        message: `log lost its tail: ${tail.position} of ${durable.position}`,
      });
    return tail;
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

/** A listener's exception is its caller's to hear of, but only when the log stands again. */
function listening(onStep: OnRewriteStep = () => {}): { step: OnRewriteStep; rethrow(): void } {
  let thrown: { readonly error: unknown } | null = null;
  return {
    async step(step) {
      try {
        await onStep(step);
      } catch (error) {
        thrown ??= { error };
      }
    },
    rethrow() {
      if (thrown !== null) throw thrown.error;
    },
  };
}

function isSame(written: Anchor | 'unreadable' | null, { logId, position, chain }: Anchor): boolean {
  if (written === null || written === 'unreadable') return false;
  return written.logId === logId && written.position === position && written.chain === chain;
}

function known(event: ReadEvent | undefined): LogEvent | undefined {
  return event === undefined || event.type === 'unknown' ? undefined : event;
}
