// The key-value store of one generation, which holds the rows of all views, and its keys:
//
//   c/<seq>              change feed entry: ["view", "key"]; <seq> is 12 hex digits
//   d/<view>/<subject>   dead letter
//   m/checkpoint         the checkpoint (checkpoint.ts), written in every batch
//   m/meta               the generation's name and the versions of its views, written once
//   r/<view>/<key>       row, as JSON
//   s                    empty: the last key, once tables were rewritten (rewrite-tables.ts)
//
// Store errors are classified here, once: locked by another process, disk full, too many open files, everything else.
import type { AbstractLevel, AbstractSnapshot } from 'abstract-level';
import { Level } from 'level';
import { AnnalsError, isAnnalsError, isDiskFull } from '../../../log/index.ts';

export type ViewStore = AbstractLevel<string | Buffer | Uint8Array, string, string>;

export const CHECKPOINT_KEY = 'm/checkpoint';
export const META_KEY = 'm/meta';
export const CHANGES = 'c/';
export const CHANGES_END = 'c0';
export const DEAD_LETTERS = 'd/';
export const DEAD_LETTERS_END = 'd0';
export const ROWS = 'r/';
export const END = 's';

/** How much LevelDB collects before it writes a table: twice its default, because a replay writes much and reads little. */
const WRITE_BUFFER_BYTES = 8 * 1024 * 1024;
/**
 * Uncompressed bytes of a table that are compressed together. On the rows of real transcripts a sixth less on disk than with
 * LevelDB's 4 KiB (955 and 1,137 bytes an event; 899 with 32 KiB), and scans are no slower. A row that is in no cache takes
 * 13 to 19 µs instead of 8 to 10, and 22 to 26 with 32 KiB.
 */
const BLOCK_BYTES = 16 * 1024;
/**
 * A read in place costs 5 µs, one through the thread pool 30. Many at once cost twice the processor time in the pool (of
 * 20,000 in calls of 1,000, 5 µs a key that is missing and 22 one that exists, in place 3 and 11) but block nothing.
 */
const IN_PLACE_MAX = 16;

export function changeKey(seq: number): string {
  return CHANGES + seq.toString(16).padStart(12, '0');
}

/** Prefix of the keys of a view's rows. */
export function rowsOf(view: string): string {
  return `${ROWS}${view}/`;
}

/** Another thread of this process that has the same stores open. */
export interface StoreHolder {
  /**
   * Opens a store. Called before it is opened here.
   * @param isRead whether reads that wait for this store may begin
   * @throws AnnalsError HOME_LOCKED, HOME_UNWRITABLE, DISK_FULL, VIEW_DAMAGED
   */
  hold(location: string, mustExist: boolean, isRead: boolean): Promise<void>;
  /** Closes a store, once nobody reads it. Called after it was closed here. */
  release(location: string): Promise<void>;
  /** Reads this store from now on. */
  read(location: string): Promise<void>;
}

/**
 * A store that two threads have open. LevelDB uses the cache of the handle that opened it first, so the holder opens first
 * and closes last, also when this thread dies.
 */
class HeldLevel extends Level<string, string> {
  holder!: StoreHolder;
  mustExist!: boolean;
  isRead = true;

  async _open(options: object): Promise<void> {
    await this.holder.hold(this.location, this.mustExist, this.isRead);
    try {
      await openOrClose._open.call(this, options);
    } catch (error) {
      await this.holder.release(this.location);
      throw error;
    }
  }

  async _close(): Promise<void> {
    await openOrClose._close.call(this);
    await this.holder.release(this.location);
  }
}

/** What `abstract-level` calls to open and close a store; its types leave them out. */
const openOrClose = Level.prototype as unknown as {
  _open(this: unknown, options: object): Promise<void>;
  _close(this: unknown): Promise<void>;
};

/** Opened again, the store is not read in the other thread until it is opened again without this. */
export function withholdReads(store: ViewStore, isWithheld: boolean): void {
  if (store instanceof HeldLevel) store.isRead = !isWithheld;
}

export interface StoreOptions {
  readonly mustExist?: boolean;
  readonly holder?: StoreHolder | undefined;
  /** Whether another thread opens it too. */
  readonly isShared?: boolean;
}

/** Opens a LevelDB folder. Creates it if it is missing, unless it must exist. Throws what LevelDB throws. */
export async function openLevelStore(
  location: string,
  { mustExist = false, holder, isShared = holder !== undefined }: StoreOptions = {},
): Promise<ViewStore> {
  const options = {
    keyEncoding: 'utf8',
    valueEncoding: 'utf8',
    writeBufferSize: WRITE_BUFFER_BYTES,
    blockSize: BLOCK_BYTES,
    createIfMissing: !mustExist,
    multithreading: isShared,
  };
  const store =
    holder === undefined
      ? new Level<string, string>(location, options)
      : Object.assign(new HeldLevel(location, options), { holder, mustExist });
  await store.open();
  return store as unknown as ViewStore;
}

/** The value of a key. A promise only if the store cannot read in place. */
export function storedText(
  store: ViewStore,
  key: string,
  snapshot?: AbstractSnapshot,
): string | undefined | Promise<string | undefined> {
  if (!canReadInPlace(store)) return store.get(key, { snapshot });
  // Without options LevelDB takes a shorter way.
  return snapshot === undefined ? store.getSync(key) : store.getSync(key, { snapshot });
}

/** The values of keys, read in place if the store can; of a snapshot, which queries read, only a few. */
export function storedTexts(
  store: ViewStore,
  keys: readonly string[],
  snapshot?: AbstractSnapshot,
): readonly (string | undefined)[] | Promise<readonly (string | undefined)[]> {
  return (snapshot === undefined || keys.length <= IN_PLACE_MAX) && canReadInPlace(store)
    ? keys.map((key) => storedText(store, key, snapshot) as string | undefined)
    : store.getMany([...keys], { snapshot });
}

function canReadInPlace(store: ViewStore): boolean {
  return (store.supports as { getSync?: boolean }).getSync === true;
}

export type ViewBatch = Pick<ReturnType<ViewStore['batch']>, 'put' | 'del'>;

/**
 * Writes everything that `fill` puts into the batch, or nothing. A chained batch takes a row in 1 µs; LevelDB's array of
 * operations takes 9 µs, because it first copies each operation with its options.
 */
export async function writeBatch(
  store: ViewStore,
  fill: (batch: ViewBatch) => void,
  sync: boolean,
): Promise<void> {
  const batch = store.batch();
  try {
    fill(batch);
  } catch (error) {
    await batch.close();
    throw error;
  }
  // `sync` is an option of LevelDB; a store in memory ignores it.
  await batch.write({ sync } as object);
}

/** A store error as an AnnalsError. `what` names what could not be read or written, such as "The views". */
export function storeFailure(what: string, error: unknown, rebuild = 'annals rebuild'): AnnalsError {
  const causes = causesOf(error);
  const known = causes.map(({ cause }) => cause).find(isAnnalsError);
  if (known !== undefined) return known;
  if (causes.some(({ code }) => code === 'LEVEL_LOCKED'))
    return new AnnalsError('HOME_LOCKED', `${what} are open in another process.`, {
      hint: 'Wait for the other command to end, then try again.',
      cause: error,
    });
  if (isDiskFull(error))
    return new AnnalsError('DISK_FULL', `The disk is full: ${what.toLowerCase()} could not be written.`, {
      hint: 'Free some space, then try again; nothing is lost.',
      cause: error,
    });
  if (causes.some(({ message }) => /too many open files|no file descriptors available/i.test(message)))
    return new AnnalsError('HOME_UNWRITABLE', `${what} cannot be read or written: too many files are open.`, {
      hint: 'Close other programs or raise the limit of open files, then try again; nothing is lost.',
      cause: error,
    });
  return new AnnalsError('VIEW_DAMAGED', `${what} cannot be read or written.`, {
    hint: `Run \`${rebuild}\` to build them again from the log.`,
    cause: error,
  });
}

function causesOf(error: unknown): { cause: Error; code: string; message: string }[] {
  const causes: { cause: Error; code: string; message: string }[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    causes.push({ cause, code: 'code' in cause ? String(cause.code) : '', message: cause.message });
  return causes;
}
