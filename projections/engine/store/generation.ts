// One generation: the rows of all views in one store, and the only way to change them. A page of events is one batch with
// rows, feed entries, dead letters and the checkpoint, so no view is ever ahead of another. The batch is not synced: a
// generation that loses its end is only behind. After a failed write nothing more is written until the store is opened
// again, because LevelDB may have left half a record, and what follows it could be lost when it is read back.
import type { AbstractSnapshot } from 'abstract-level';
import { type Checkpoint, isRecord, parseOwnJson, Readers, settleStore } from '../../../log/index.ts';
import { EMPTY_CHECKPOINT, type GenerationCheckpoint } from '../contract/checkpoint.ts';
import type { Change, Projector, ShownChanges, ViewReader } from '../contract/projector.ts';
import { FEED_KEPT, putFeed, trimFeed } from './change-feed.ts';
import { type DeadLetter, newLetters, putLetters, readLetters, removeLetters } from './dead-letter.ts';
import { GenerationSnapshot, readCheckpoint } from './generation-snapshot.ts';
import { rewriteTables } from './rewrite-tables.ts';
import { type DigestOptions, digestRows } from './row-digest.ts';
import { rowReader, rowTexts } from './row-reader.ts';
import { ViewMemory } from './view-memory.ts';
import { type RowChange, ViewPage } from './view-page.ts';
import {
  CHECKPOINT_KEY,
  META_KEY,
  rowsOf,
  storedText,
  storeFailure,
  type ViewBatch,
  type ViewStore,
  withholdReads,
  writeBatch,
} from './view-store.ts';

const FORMAT = 3;

/** The view names and versions of a generation, as its `m/meta` has them. */
export type ViewVersions = Readonly<Record<string, number>>;

export interface CommitOptions {
  /** The last event of the page. */
  readonly log: Checkpoint;
  readonly deadLetters: readonly DeadLetter[];
  /** Whether an index may use this generation. Otherwise changes are counted but not kept. */
  readonly keepsFeed: boolean;
}

/** One page of events before it is on disk: what it writes to each view. */
export class GenerationPage {
  readonly #views: ReadonlyMap<string, ViewPage>;
  readonly #changes = new Map<string, readonly RowChange[]>();

  constructor(views: ReadonlyMap<string, ViewPage>) {
    this.#views = views;
  }

  view(name: string): ViewPage {
    return this.#views.get(name)!;
  }

  /** The changes of a view. Call it when the view is completely folded. */
  async rowChanges(shown: ShownChanges): Promise<readonly RowChange[]> {
    const known = this.#changes.get(shown.name);
    if (known !== undefined) return known;
    const found = await this.view(shown.name).rowChanges(shown);
    this.#changes.set(shown.name, found);
    return found;
  }

  /** Keys of the changes that `rowChanges` found. */
  changedKeys(view: string): readonly string[] {
    return (this.#changes.get(view) ?? []).map(({ key }) => key);
  }

  /** The same as downstream projectors get them. */
  async changes(shown: ShownChanges): Promise<readonly Change[]> {
    const found = await this.rowChanges(shown);
    return this.view(shown.name).changes(found, shown);
  }

  committed(): void {
    for (const view of this.#views.values()) view.memory.committed();
  }
}

export interface GenerationViews {
  readonly projectors: readonly Projector[];
  /** Whether a changed row of a view goes into the feed. */
  isFed(view: string, key: string): boolean;
}

export class Generation {
  /** Its folder, such as `rows-3`. */
  readonly folder: string;
  /** Its random name, as checkpoints of indexes have it. */
  readonly id: string;
  readonly #views: GenerationViews;
  readonly #store: ViewStore;
  readonly #rowReaders = new Readers();
  readonly #memories: ReadonlyMap<string, ViewMemory>;
  readonly #readers = new Map<string, ViewReader>();
  #checkpoint: GenerationCheckpoint;
  #hasFailed = false;
  /** Set while the store is opened again, and while it is scrubbed: reads wait for it. */
  #recovering: Promise<void> | null = null;

  /** Writes the meta data of a new generation into an empty store. Closes the store if that fails. */
  static async create(
    views: GenerationViews,
    folder: string,
    store: ViewStore,
    id: string,
  ): Promise<Generation> {
    return Generation.#taking(store, async () => {
      const meta = { format: FORMAT, id, views: versionsOf(views.projectors) };
      const fill = (batch: ViewBatch): void => {
        batch.put(META_KEY, JSON.stringify(meta));
        batch.put(CHECKPOINT_KEY, JSON.stringify(EMPTY_CHECKPOINT));
      };
      await writeBatch(store, fill, false);
      return new Generation(views, folder, store, id, EMPTY_CHECKPOINT);
    });
  }

  /**
   * Opens a generation that exists. Null when its views have other names or versions; the store is then closed.
   * @throws AnnalsError VIEW_DAMAGED; the store is then closed too
   */
  static async open(views: GenerationViews, folder: string, store: ViewStore): Promise<Generation | null> {
    return Generation.#taking(store, async () => {
      const meta = parseOwnJson((await storedText(store, META_KEY)) ?? '');
      if (!isRecord(meta) || !isRecord(meta.views) || typeof meta.id !== 'string')
        throw new TypeError('The store has no valid meta data.');
      if (meta.format !== FORMAT || !isSame(meta.views, versionsOf(views.projectors))) {
        await store.close();
        return null;
      }
      return new Generation(views, folder, store, meta.id, await readCheckpoint(store));
    });
  }

  static async #taking<T>(store: ViewStore, take: () => Promise<T>): Promise<T> {
    try {
      return await take();
    } catch (error) {
      await store.close();
      throw failed(error);
    }
  }

  private constructor(
    views: GenerationViews,
    folder: string,
    store: ViewStore,
    id: string,
    checkpoint: GenerationCheckpoint,
  ) {
    this.#views = views;
    this.folder = folder;
    this.#store = store;
    this.id = id;
    this.#checkpoint = checkpoint;
    this.#memories = new Map(views.projectors.map(({ name }) => [name, new ViewMemory()]));
  }

  get checkpoint(): GenerationCheckpoint {
    return this.#checkpoint;
  }

  /** Log position up to which events are folded. */
  get position(): number {
    return this.#checkpoint.log?.position ?? 0;
  }

  /** The rows of a view. */
  reader(view: string): ViewReader {
    const known = this.#readers.get(view);
    if (known !== undefined) return known;
    const reader = rowReader(rowTexts(this.#store, view), (read) => this.#read(read));
    this.#readers.set(view, reader);
    return reader;
  }

  /**
   * Runs work on the generation as it is now, while pages are written. The work must not wait for anything that writes:
   * opening the store again and closing it wait for the work.
   */
  async still<T>(work: (snapshot: GenerationSnapshot) => Promise<T>): Promise<T> {
    if (this.#recovering !== null) await this.#recovering;
    this.#rowReaders.enter();
    try {
      const token = this.#snapshot();
      try {
        return await work(await GenerationSnapshot.read(this.id, this.#store, token));
      } finally {
        await token.close();
      }
    } finally {
      this.#rowReaders.leave();
    }
  }

  #snapshot(): AbstractSnapshot {
    try {
      return this.#store.snapshot();
    } catch (error) {
      throw failed(error);
    }
  }

  /** An empty page to fold into. */
  page(): GenerationPage {
    return new GenerationPage(
      new Map(
        [...this.#memories].map(([name, memory]) => [
          name,
          new ViewPage(rowTexts(this.#store, name), memory),
        ]),
      ),
    );
  }

  /**
   * Writes a folded page and its checkpoint in one batch.
   * @throws AnnalsError DISK_FULL, HOME_UNWRITABLE, VIEW_DAMAGED; nothing of the page is then written
   */
  async commit(page: GenerationPage, { log, deadLetters, keepsFeed }: CommitOptions): Promise<void> {
    try {
      const changed: (readonly [Projector, readonly RowChange[]])[] = [];
      for (const projector of this.#views.projectors)
        changed.push([projector, await page.rowChanges(projector)]);
      const letters = await newLetters(this.#store, deadLetters);
      const { seq, feedFrom } = this.#checkpoint;
      let newest = seq;
      const fill = (batch: ViewBatch): void => {
        for (const [{ name }, changes] of changed) {
          const prefix = rowsOf(name);
          for (const { key, after } of changes)
            if (after === undefined) batch.del(prefix + key);
            else batch.put(prefix + key, after);
          const fed = changes.filter(({ key }) => this.#views.isFed(name, key));
          if (keepsFeed) putFeed(batch, name, fed, newest);
          newest += fed.length;
        }
        putLetters(batch, letters);
      };
      await this.#write(fill, false, () => ({
        log,
        seq: newest,
        feedFrom: keepsFeed ? feedFrom : newest + 1,
        deadLetters: counted(this.#checkpoint.deadLetters, letters),
      }));
      page.committed();
    } catch (error) {
      throw failed(error);
    }
  }

  /** Waits until everything written so far is on disk: before `CURRENT` names this generation. */
  async sync(): Promise<void> {
    try {
      await settleStore(this.#store);
      await this.#write(() => undefined, true);
    } catch (error) {
      throw failed(error);
    }
  }

  /** Trims the feed to everything after `passed`, and to the newest `kept` entries. */
  async trim(passed: number, kept: number = FEED_KEPT): Promise<void> {
    const feedFrom = Math.min(passed, this.#checkpoint.seq - kept) + 1;
    // Up to a tenth more stays, so that a trim is worth its write.
    if (feedFrom - this.#checkpoint.feedFrom < kept / 10) return;
    try {
      await this.#write(
        () => undefined,
        false,
        (checkpoint) => ({ ...checkpoint, feedFrom }),
      );
      await this.#writing(() => trimFeed(this.#store, feedFrom));
    } catch (error) {
      throw failed(error);
    }
  }

  /** Digest of a view's rows. */
  digest(view: string, options: DigestOptions): Promise<string> {
    return this.#read(() => digestRows(this.#store, rowsOf(view), options));
  }

  deadLetters(): Promise<readonly DeadLetter[]> {
    return this.#read(() => readLetters(this.#store));
  }

  /**
   * Removes the feed, dead letters of `forgotten` events, and from the files every row that was replaced or removed. Indexes
   * must have caught up. After an error some of it may remain; call it again.
   * @throws AnnalsError DISK_FULL, HOME_UNWRITABLE, VIEW_DAMAGED
   */
  async scrub(forgotten: ReadonlySet<string>): Promise<void> {
    await this.#unread(async () => {
      withholdReads(this.#store, true);
      try {
        // Reads in progress have snapshots, which keep old rows.
        await this.#openAgain();
        await this.#rewrite(forgotten);
        // LevelDB's manifest and its messages may name keys of removed rows. It keeps the messages of two openings.
        await this.#openAgain();
      } finally {
        withholdReads(this.#store, false);
      }
      await this.#openAgain();
    });
  }

  async #rewrite(forgotten: ReadonlySet<string>): Promise<void> {
    try {
      const letters = await readLetters(this.#store);
      const isForgotten = ({ subject }: DeadLetter): boolean => forgotten.has(subject);
      const kept = letters.filter((letter) => !isForgotten(letter));
      await this.#write(
        (batch) => removeLetters(batch, letters.filter(isForgotten)),
        false,
        (checkpoint) => ({ ...checkpoint, feedFrom: checkpoint.seq + 1, deadLetters: counted({}, kept) }),
      );
      await this.#writing(() => trimFeed(this.#store, this.#checkpoint.feedFrom));
      await this.#writing(() => rewriteTables(this.#store));
    } catch (error) {
      throw failed(error);
    }
  }

  /** After a failed write: opens the store again and reads the checkpoint that is on disk. */
  async recover(): Promise<void> {
    if (this.#hasFailed) await this.#reopen();
  }

  #reopen(): Promise<void> {
    return this.#unread(() => this.#openAgain());
  }

  /** Reads that begin meanwhile wait. */
  async #unread(work: () => Promise<void>): Promise<void> {
    const working = work().finally(() => {
      this.#recovering = null;
    });
    this.#recovering = working.catch(() => undefined);
    await working;
  }

  async #openAgain(): Promise<void> {
    try {
      await this.#rowReaders.gone();
      await this.#store.close();
      await this.#store.open();
      this.#checkpoint = await readCheckpoint(this.#store);
      for (const memory of this.#memories.values()) memory.clear();
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      throw failed(error);
    }
  }

  /** Waits for reads in progress, then closes the store. */
  async close(): Promise<void> {
    await this.#rowReaders.gone();
    await this.#store.close();
  }

  async #write(
    fill: (batch: ViewBatch) => void,
    sync: boolean,
    moved: (checkpoint: GenerationCheckpoint) => GenerationCheckpoint = (checkpoint) => checkpoint,
  ): Promise<void> {
    let checkpoint = this.#checkpoint;
    const withCheckpoint = (batch: ViewBatch): void => {
      fill(batch);
      checkpoint = moved(this.#checkpoint);
      batch.put(CHECKPOINT_KEY, JSON.stringify(checkpoint));
    };
    await this.#writing(() => writeBatch(this.#store, withCheckpoint, sync));
    this.#checkpoint = checkpoint;
  }

  /** Every write goes through here: after one that failed there is none until `recover`. */
  async #writing(write: () => Promise<void>): Promise<void> {
    if (this.#hasFailed) throw new TypeError('The store failed before and was not opened again.');
    try {
      await write();
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    if (this.#recovering !== null) await this.#recovering;
    this.#rowReaders.enter();
    try {
      return await read();
    } catch (error) {
      throw failed(error);
    } finally {
      this.#rowReaders.leave();
    }
  }
}

function failed(error: unknown): Error {
  return storeFailure('The views', error);
}

function versionsOf(projectors: readonly Projector[]): ViewVersions {
  return Object.fromEntries(projectors.map(({ name, version }) => [name, version]));
}

function isSame(one: Readonly<Record<string, unknown>>, other: ViewVersions): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function counted(
  before: GenerationCheckpoint['deadLetters'],
  letters: readonly DeadLetter[],
): GenerationCheckpoint['deadLetters'] {
  if (letters.length === 0) return before;
  const counts: Record<string, number> = { ...before };
  for (const { view } of letters) counts[view] = (counts[view] ?? 0) + 1;
  return counts;
}
