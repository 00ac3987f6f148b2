// One generation of a key-value view: a store, where it stands, and the one way to move it — a page of rows,
// feed entries, dead letters and the anchor in a single batch. The batch is not synced: a view that loses its
// tail is only behind. After a failed write the store takes nothing more until it was opened again, because
// LevelDB may have left half a record, and what is written behind it could vanish when it is read back.
import type { Anchor } from '../log/index.ts';
import { EMPTY_ANCHOR, type FeedPlace, isRecord, parseAnchor, parseJson, type ViewAnchor } from './anchor.ts';
import { FEED_KEPT, type FeedPage, feedOperations, readFeed, trimFeed } from './change-feed.ts';
import type { DeadLetter } from './dead-letter.ts';
import { digestRows } from './digest.ts';
import type { Projector, Row, ViewReader } from './projector.ts';
import {
  ANCHOR_KEY,
  DEAD_LETTERS,
  DEAD_LETTERS_END,
  META_KEY,
  ROWS,
  type StoreOperation,
  storeFailure,
  type ViewStore,
} from './store.ts';
import { type RowTexts, rangeBounds, ViewPage } from './view-page.ts';

const FORMAT = 1;

export interface CommitOptions {
  /** Where the view stands after this page. */
  readonly log: Anchor | null;
  readonly upstream: FeedPlace | null;
  /** Whether anybody follows this generation: without, changes are counted but not kept. */
  readonly followed: boolean;
  readonly deadLetters?: readonly DeadLetter[];
  /** Waits for the disk: before a generation is swapped in. */
  readonly sync?: boolean;
}

export class KvView implements ViewReader {
  readonly name: string;
  readonly version: number;
  /** Folder of this generation, `<version>-<n>`. */
  readonly folder: string;
  /** Random name of this generation, as followers' anchors hold it. */
  readonly generation: string;
  readonly feed: Projector['feed'];
  readonly #store: ViewStore;
  readonly #texts: RowTexts;
  #anchor: ViewAnchor;
  #failed = false;
  #reads = 0;
  #whenUnread: (() => void) | null = null;

  /** Takes a store over. `generation` is given for a new one, which must be empty; else it is read from the store. */
  static async open(
    projector: Pick<Projector, 'name' | 'version' | 'feed'>,
    folder: string,
    store: ViewStore,
    generation?: string,
  ): Promise<KvView> {
    try {
      if (generation !== undefined) {
        const meta = { format: FORMAT, name: projector.name, version: projector.version, generation };
        await store.batch([
          { type: 'put', key: META_KEY, value: JSON.stringify(meta) },
          { type: 'put', key: ANCHOR_KEY, value: JSON.stringify(EMPTY_ANCHOR) },
        ]);
        return new KvView(projector, folder, store, generation, EMPTY_ANCHOR);
      }
      const meta = parseJson((await store.get(META_KEY)) ?? '');
      if (
        !isRecord(meta) ||
        meta.format !== FORMAT ||
        meta.name !== projector.name ||
        meta.version !== projector.version ||
        typeof meta.generation !== 'string'
      )
        throw new TypeError('The store does not say which view it is.');
      return new KvView(projector, folder, store, meta.generation, await readAnchor(store));
    } catch (error) {
      throw storeFailure(projector.name, error);
    }
  }

  private constructor(
    projector: Pick<Projector, 'name' | 'version' | 'feed'>,
    folder: string,
    store: ViewStore,
    generation: string,
    anchor: ViewAnchor,
  ) {
    this.name = projector.name;
    this.version = projector.version;
    this.folder = folder;
    this.generation = generation;
    this.feed = projector.feed;
    this.#store = store;
    this.#anchor = anchor;
    this.#texts = rowTexts(store);
  }

  get anchor(): ViewAnchor {
    return this.#anchor;
  }

  /** Log position this view stands at. */
  get position(): number {
    return this.#anchor.log?.position ?? 0;
  }

  get<R = Row>(key: string): Promise<R | undefined> {
    return this.#read(async () => {
      const text = await this.#texts.text(key);
      return text === undefined ? undefined : (JSON.parse(text) as R);
    });
  }

  getMany<R = Row>(keys: readonly string[]): Promise<(R | undefined)[]> {
    return this.#read(async () => {
      const texts = await this.#texts.texts(keys);
      return texts.map((text) => (text === undefined ? undefined : (JSON.parse(text) as R)));
    });
  }

  range<R = Row>(
    prefix: string,
    options: { limit?: number; after?: string; reverse?: boolean } = {},
  ): Promise<[string, R][]> {
    const { limit = Number.POSITIVE_INFINITY, after, reverse = false } = options;
    return this.#read(async () => {
      const rows = await this.#texts.textRange({ ...rangeBounds(prefix, after, reverse), limit, reverse });
      return rows.map(([key, text]) => [key, JSON.parse(text) as R]);
    });
  }

  /** An empty page to fold into. */
  page(): ViewPage {
    return new ViewPage(this.name, this.#texts);
  }

  /**
   * Writes a sealed page and moves the anchor, in one batch.
   * @throws AnnalsError DISK_FULL, VIEW_DAMAGED; the view then stands where it stood
   */
  async commit(page: ViewPage, to: CommitOptions): Promise<void> {
    try {
      const kept = to.followed && this.feed !== 'none';
      const changes = await page.changes({ before: kept });
      const { seq, feedFrom, dead } = this.#anchor;
      const operations: StoreOperation[] = kept ? feedOperations(changes, seq, this.feed) : [];
      const letters = await this.#newLetters(to.deadLetters ?? []);
      operations.push(...letters);
      const anchor: ViewAnchor = {
        log: to.log,
        upstream: to.upstream,
        seq: seq + changes.length,
        feedFrom: kept ? feedFrom : seq + changes.length + 1,
        dead: dead + letters.length,
      };
      operations.push({ type: 'put', key: ANCHOR_KEY, value: JSON.stringify(anchor) });
      for (const { key, after } of changes)
        operations.push(
          after === undefined
            ? { type: 'del', key: ROWS + key }
            : { type: 'put', key: ROWS + key, value: after },
        );
      await this.#write(operations, anchor, to.sync ?? false);
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }

  /** Moves the anchor alone. */
  async moveTo(to: Partial<Pick<ViewAnchor, 'log' | 'upstream' | 'feedFrom'>>, sync = false): Promise<void> {
    try {
      const anchor = { ...this.#anchor, ...to };
      await this.#write([{ type: 'put', key: ANCHOR_KEY, value: JSON.stringify(anchor) }], anchor, sync);
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }

  /** Whether the feed still holds everything after `seq`. */
  feedReaches(seq: number): boolean {
    return seq >= this.#anchor.feedFrom - 1 && seq <= this.#anchor.seq;
  }

  changes(after: number, limit: number): Promise<FeedPage> {
    return this.#read(() => readFeed(this.#store, after, limit));
  }

  /** Trims the feed to what somebody may still want: all after `passed`, and the newest `kept`. */
  async trim(passed: number, kept: number = FEED_KEPT): Promise<void> {
    const feedFrom = Math.min(passed, this.#anchor.seq - kept) + 1;
    // A tenth more than is kept may stay, so that a trim is worth its write.
    if (feedFrom - this.#anchor.feedFrom < kept / 10) return;
    await this.moveTo({ feedFrom });
    await this.#read(() => trimFeed(this.#store, feedFrom));
  }

  digest(): Promise<string> {
    return this.#read(() => digestRows(this.#store));
  }

  deadLetters(): Promise<readonly DeadLetter[]> {
    return this.#read(async () => {
      const texts = await this.#store.values({ gte: DEAD_LETTERS, lt: DEAD_LETTERS_END }).all();
      return texts.map((text) => JSON.parse(text) as DeadLetter);
    });
  }

  /** Hands the store out for one piece of reading; it is not closed meanwhile. */
  lend<T>(work: (store: ViewStore) => Promise<T>): Promise<T> {
    return this.#read(() => work(this.#store));
  }

  /** After a failed write: opens the store again and stands where the disk says. */
  async recover(): Promise<void> {
    if (!this.#failed) return;
    try {
      await this.#unread();
      await this.#store.close();
      await this.#store.open();
      this.#anchor = await readAnchor(this.#store);
      this.#failed = false;
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }

  /** Waits for reads under way, then lets go of the store. */
  async close(): Promise<void> {
    await this.#unread();
    await this.#store.close();
  }

  async #write(operations: StoreOperation[], anchor: ViewAnchor, sync: boolean): Promise<void> {
    if (this.#failed) throw new TypeError('The store failed before and was not opened again.');
    try {
      // `sync` is LevelDB's own option; a store in memory passes over it.
      await this.#store.batch(operations, { sync } as object);
    } catch (error) {
      this.#failed = true;
      throw error;
    }
    this.#anchor = anchor;
  }

  /** The batch entries of letters that are not there yet. */
  async #newLetters(letters: readonly DeadLetter[]): Promise<StoreOperation[]> {
    const bySubject = new Map(letters.map((letter) => [DEAD_LETTERS + letter.subject, letter]));
    const keys = [...bySubject.keys()];
    const known = keys.length === 0 ? [] : await this.#store.getMany(keys);
    return keys
      .filter((_, index) => known[index] === undefined)
      .map((key) => ({ type: 'put', key, value: JSON.stringify(bySubject.get(key)) }));
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    this.#reads++;
    try {
      return await read();
    } catch (error) {
      throw storeFailure(this.name, error);
    } finally {
      this.#reads--;
      if (this.#reads === 0) this.#whenUnread?.();
    }
  }

  async #unread(): Promise<void> {
    if (this.#reads === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenUnread = resolve;
    });
    this.#whenUnread = null;
  }
}

async function readAnchor(store: ViewStore): Promise<ViewAnchor> {
  const anchor = parseAnchor((await store.get(ANCHOR_KEY)) ?? '');
  if (anchor === null) throw new TypeError('The store does not say where the view stands.');
  return anchor;
}

function rowTexts(store: ViewStore): RowTexts {
  // A read in place costs 5 µs, one through the thread pool 30.
  const inPlace = (store.supports as { getSync?: boolean }).getSync === true;
  return {
    text: (key) => (inPlace ? store.getSync(ROWS + key) : store.get(ROWS + key)),
    texts: (keys) => store.getMany(keys.map((key) => ROWS + key)),
    textRange: async ({ from, to, limit, reverse }) => {
      const rows = await store
        .iterator({ gte: ROWS + from, lt: ROWS + to, reverse, limit: Number.isFinite(limit) ? limit : -1 })
        .all();
      return rows.map(([key, text]) => [key.slice(ROWS.length), text] as const);
    },
  };
}
