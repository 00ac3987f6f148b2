// The log, opened: LevelDB below, the append queue, checked reads. One process holds it at a time.

import { AppendQueue } from './append.ts';
import { AnnalsError } from './errors.ts';
import type { Anchor, LogEvent } from './event.ts';
import { headProblem, readHeadFile, writeHeadFile } from './head-file.ts';
import { CURSOR, cursorKey } from './keys.ts';
import type { Log, LogFiles, LogWorld, VerifyProblem } from './log.ts';
import { readOrCreateMeta } from './meta.ts';
import {
  chainAt,
  idsOfFact,
  type ReadContext,
  type ReadEvent,
  readIds,
  readIdsByPrefix,
  readPage,
  readSessionPage,
} from './read.ts';
import { hexOf, openValue } from './record.ts';
import { levelStore, openStore, type Store, storeError } from './store.ts';
import { readTail, type Tail } from './tail.ts';
import { verifyLog } from './verify.ts';

export interface OpenLogOptions {
  /** LevelDB's folder; made when it is missing. */
  readonly directory: string;
  /** Where the head is written beside the log; null for none (a log in memory). */
  readonly headFile: string | null;
  readonly world: LogWorld;
  readonly files: LogFiles;
  /** Instead of LevelDB: any abstract-level store made with buffer keys and buffer values. */
  readonly store?: Store;
  /** Bytes LevelDB gathers before it makes a table. Default 4 MiB; tests make it small. */
  readonly writeBufferBytes?: number;
}

/** @throws AnnalsError HOME_LOCKED at once, LOG_DAMAGED, LOG_TOO_NEW, DISK_FULL, HOME_UNWRITABLE */
export async function openLog(options: OpenLogOptions): Promise<Log> {
  const { directory, headFile, world, files } = options;
  const store = options.store ?? levelStore(directory, options);
  await openStore(store);
  try {
    const { meta, problem } = await readOrCreateMeta(store, world);
    const tail = await readTail(store, meta.logId);
    const log = new OpenedLog(store, meta, tail, { directory, headFile, world, files });
    if (problem !== null) log.damage.push(problem);
    const lost = await log.compareHeadFile();
    if (lost !== null) log.damage.push(lost);
    return log;
  } catch (error) {
    await store.close();
    throw storeError(error, 'The log could not be opened');
  }
}

type Settings = Pick<OpenLogOptions, 'directory' | 'headFile' | 'world' | 'files'>;

class OpenedLog implements Log {
  readonly logId: string;
  readonly origin: string;
  readonly damage: VerifyProblem[] = [];
  readonly #store: Store;
  readonly #settings: Settings;
  readonly #queue: AppendQueue;
  readonly #listeners = new Set<(head: Anchor) => void>();
  /** The catalogue's schemas, loaded by the first append: a command that only reads never waits for them. */
  #admission: Promise<typeof import('./telling.ts')> | null = null;
  #closed: Promise<void> | null = null;

  constructor(store: Store, meta: { logId: string; origin: string }, tail: Tail, settings: Settings) {
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
  }

  head(): Anchor {
    const { position, chain } = this.#queue.durable;
    return { logId: this.logId, position, chain: hexOf(chain) };
  }

  async append(...[tellings, options]: Parameters<Log['append']>): ReturnType<Log['append']> {
    this.#refuseIfClosed();
    this.#admission ??= import('./telling.ts');
    // Every call waits for the same promise, also when it is long fulfilled: so they are admitted in their order.
    const { checkTellings } = await this.#admission;
    return this.#queue.append(checkTellings(tellings), options);
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

  cursor(key: string): Promise<unknown | undefined> {
    return this.#read(async ({ store }) => {
      const stored = cursorKey(key);
      const record = await store.get(stored);
      return record === undefined ? undefined : openCursor(stored, record).value;
    });
  }

  cursors(prefix = ''): Promise<readonly { key: string; value: unknown }[]> {
    return this.#read(async ({ store }) => {
      const range = { gte: cursorKey(prefix), lt: Buffer.from([CURSOR + 1]) };
      const found: { key: string; value: unknown }[] = [];
      for await (const [key, record] of store.iterator(range)) {
        const cursor = openCursor(key, record);
        if (!cursor.key.startsWith(prefix)) break;
        found.push(cursor);
      }
      return found;
    });
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
      return verifyLog({ store, logId, origin: this.origin, tail, head, ...options });
    });
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
    if (!isSame(written, this.head())) await writeHeadFile(files, headFile, this.head());
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
    // Waits behind every append that came before, so that all of them are in the queue.
    await this.#admission?.catch(() => {});
    await this.#queue.idle();
    try {
      if (this.#store.status === 'open') await this.saveHead();
    } finally {
      await this.#store.close();
    }
  }

  async #read<T>(read: (context: ReadContext) => Promise<T>): Promise<T> {
    await this.#queue.whenReadable();
    if (this.#store.status !== 'open') this.#refuseIfClosed();
    try {
      return await read({ store: this.#store, logId: this.logId, tail: this.#queue.durable });
    } catch (error) {
      throw storeError(error, 'The log could not be read');
    }
  }

  async #reopen(durable: Tail): Promise<Tail> {
    await this.#store.close();
    await openStore(this.#store);
    const tail = await readTail(this.#store, this.logId);
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

function isSame(written: Anchor | 'unreadable' | null, { logId, position, chain }: Anchor): boolean {
  if (written === null || written === 'unreadable') return false;
  return written.logId === logId && written.position === position && written.chain === chain;
}

function known(event: ReadEvent | undefined): LogEvent | undefined {
  return event === undefined || event.type === 'unknown' ? undefined : event;
}

function openCursor(key: Buffer, record: Buffer): { key: string; value: unknown } {
  const cursor = openValue(key, record);
  if (cursor !== undefined) return cursor as { key: string; value: unknown };
  throw new AnnalsError('LOG_DAMAGED', 'A cursor in the log is not what was written.', {
    hint: 'Run annals verify; reading the source again from its beginning is always safe.',
  });
}
