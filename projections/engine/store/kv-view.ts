// One generation of a key-value view: a store, where it stands, and the one way to move it — a page of rows,
// feed entries, dead letters and the anchor in a single batch. The batch is not synced: a view that loses its
// tail is only behind. After a failed write the store takes nothing more until it was opened again, because
// LevelDB may have left half a record, and what is written behind it could vanish when it is read back.
import { type Checkpoint, Readers } from '../../../log/index.ts';
import { ViewMemory } from '../../view-memory.ts';
import {
  EMPTY_CHECKPOINT,
  type FeedPosition,
  isRecord,
  parseCheckpoint,
  parsedJson,
  type ViewCheckpoint,
} from '../contract/checkpoint.ts';
import type { Projector, Row, ViewReader } from '../contract/projector.ts';
import { FEED_KEPT, type FeedPage, putFeed, readFeed, trimFeed } from './change-feed.ts';
import { type DeadLetter, newLetters, putLetters, readLetters } from './dead-letter.ts';
import { KeyFilter } from './key-filter.ts';
import { digestRows } from './row-digest.ts';
import { rowTexts, storedText } from './row-texts.ts';
import { type RowChange, type RowTexts, rangeBounds, ViewPage } from './view-page.ts';
import {
  CHECKPOINT_KEY,
  ROWS,
  storeFailure,
  VIEW_META_KEY,
  type ViewBatch,
  type ViewStore,
  writeBatch,
} from './view-store.ts';

const FORMAT = 1;

export interface CommitOptions {
  /** Where the view stands after this page. */
  readonly log: Checkpoint | null;
  readonly upstream: FeedPosition | null;
  /** Whether anybody follows this generation: without, changes are counted but not kept. */
  readonly followed: boolean;
  /** Whether the answer must say what each row was before, kept or not. */
  readonly before?: boolean;
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
  readonly #readers = new Readers();
  readonly #memory = new ViewMemory();
  #checkpoint: ViewCheckpoint;
  /** Of a generation that began empty here: which keys it may hold. */
  #filter: KeyFilter | null;
  #failed = false;

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
        const fill = (batch: ViewBatch): void => {
          batch.put(VIEW_META_KEY, JSON.stringify(meta));
          batch.put(CHECKPOINT_KEY, JSON.stringify(EMPTY_CHECKPOINT));
        };
        await writeBatch(store, fill, false);
        return new KvView(projector, folder, store, generation, EMPTY_CHECKPOINT, new KeyFilter());
      }
      const meta = parsedJson((await storedText(store, VIEW_META_KEY)) ?? '');
      if (
        !isRecord(meta) ||
        meta.format !== FORMAT ||
        meta.name !== projector.name ||
        meta.version !== projector.version ||
        typeof meta.generation !== 'string'
      )
        throw new TypeError('The store does not say which view it is.');
      return new KvView(projector, folder, store, meta.generation, await readCheckpoint(store), null);
    } catch (error) {
      throw storeFailure(projector.name, error);
    }
  }

  private constructor(
    projector: Pick<Projector, 'name' | 'version' | 'feed'>,
    folder: string,
    store: ViewStore,
    generation: string,
    checkpoint: ViewCheckpoint,
    filter: KeyFilter | null,
  ) {
    this.name = projector.name;
    this.version = projector.version;
    this.folder = folder;
    this.generation = generation;
    this.feed = projector.feed;
    this.#store = store;
    this.#checkpoint = checkpoint;
    this.#filter = filter;
    this.#texts = rowTexts(store, (key) => this.#filter?.mayHold(key) ?? true);
  }

  get checkpoint(): ViewCheckpoint {
    return this.#checkpoint;
  }

  /** Log position this view stands at. */
  get position(): number {
    return this.#checkpoint.log?.position ?? 0;
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

  /** A row from the text in which this view holds it. @throws AnnalsError VIEW_DAMAGED */
  rowOf(text: string): Row {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }

  /** An empty page to fold into. */
  page(): ViewPage {
    return new ViewPage(this.name, this.#texts, this.#memory);
  }

  /**
   * Writes a sealed page and moves the anchor, in one batch. Returns what changed.
   * @throws AnnalsError DISK_FULL, VIEW_DAMAGED; the view then stands where it stood
   */
  async commit(page: ViewPage, to: CommitOptions): Promise<readonly RowChange[]> {
    try {
      const kept = to.followed && this.feed !== 'none';
      const changes = await page.changes({ before: kept || (to.before ?? false) });
      const { seq, feedFrom, dead } = this.#checkpoint;
      const letters = await newLetters(this.#store, to.deadLetters ?? []);
      const checkpoint: ViewCheckpoint = {
        log: to.log,
        upstream: to.upstream,
        seq: seq + changes.length,
        feedFrom: kept ? feedFrom : seq + changes.length + 1,
        dead: dead + letters.length,
      };
      const fill = (batch: ViewBatch): void => {
        if (kept) putFeed(batch, changes, seq, this.feed);
        putLetters(batch, letters);
        for (const { key, after } of changes)
          if (after === undefined) batch.del(ROWS + key);
          else batch.put(ROWS + key, after);
      };
      if (this.#filter !== null) for (const { key } of changes) this.#filter.add(key);
      if (this.#filter?.isFull) this.#filter = null;
      await this.#write(fill, checkpoint, to.sync ?? false);
      page.memory.committed();
      return changes;
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }

  /** Moves the anchor alone. */
  async moveTo(
    to: Partial<Pick<ViewCheckpoint, 'log' | 'upstream' | 'feedFrom'>>,
    sync = false,
  ): Promise<void> {
    try {
      const checkpoint = { ...this.#checkpoint, ...to };
      await this.#write(() => undefined, checkpoint, sync);
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }

  /** Whether the feed still holds everything after `seq`. */
  feedReaches(seq: number): boolean {
    return seq >= this.#checkpoint.feedFrom - 1 && seq <= this.#checkpoint.seq;
  }

  changes(after: number, limit: number): Promise<FeedPage> {
    const { seq: newest, feedFrom } = this.#checkpoint;
    return this.#read(() => readFeed(this.#store, { after: Math.max(after, feedFrom - 1), limit, newest }));
  }

  /** Trims the feed to what somebody may still want: all after `passed`, and the newest `kept`. */
  async trim(passed: number, kept: number = FEED_KEPT): Promise<void> {
    const feedFrom = Math.min(passed, this.#checkpoint.seq - kept) + 1;
    // A tenth more than is kept may stay, so that a trim is worth its write.
    if (feedFrom - this.#checkpoint.feedFrom < kept / 10) return;
    await this.moveTo({ feedFrom });
    await this.#read(() => trimFeed(this.#store, feedFrom));
  }

  digest(): Promise<string> {
    return this.#read(() => digestRows(this.#store));
  }

  deadLetters(): Promise<readonly DeadLetter[]> {
    return this.#read(() => readLetters(this.#store));
  }

  /** Hands the store out for one piece of reading; it is not closed meanwhile. */
  lend<T>(work: (store: ViewStore) => Promise<T>): Promise<T> {
    return this.#read(() => work(this.#store));
  }

  /** After a failed write: opens the store again and stands where the disk says. */
  async recover(): Promise<void> {
    if (!this.#failed) return;
    try {
      await this.#readers.gone();
      await this.#store.close();
      await this.#store.open();
      this.#checkpoint = await readCheckpoint(this.#store);
      this.#memory.clear();
      this.#failed = false;
    } catch (error) {
      throw storeFailure(this.name, error);
    }
  }

  /** Waits for reads under way, then lets go of the store. */
  async close(): Promise<void> {
    await this.#readers.gone();
    await this.#store.close();
  }

  async #write(fill: (batch: ViewBatch) => void, checkpoint: ViewCheckpoint, sync: boolean): Promise<void> {
    if (this.#failed) throw new TypeError('The store failed before and was not opened again.');
    const withCheckpoint = (batch: ViewBatch): void => {
      fill(batch);
      batch.put(CHECKPOINT_KEY, JSON.stringify(checkpoint));
    };
    try {
      await writeBatch(this.#store, withCheckpoint, sync);
    } catch (error) {
      this.#failed = true;
      throw error;
    }
    this.#checkpoint = checkpoint;
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    this.#readers.enter();
    try {
      return await read();
    } catch (error) {
      throw storeFailure(this.name, error);
    } finally {
      this.#readers.leave();
    }
  }
}

async function readCheckpoint(store: ViewStore): Promise<ViewCheckpoint> {
  const checkpoint = parseCheckpoint((await storedText(store, CHECKPOINT_KEY)) ?? '');
  if (checkpoint === null) throw new TypeError('The store does not say where the view stands.');
  return checkpoint;
}
