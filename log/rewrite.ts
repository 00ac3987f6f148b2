// Rewriting: LevelDB keeps old values in its files until chance compacts them away, so what was blanked or
// overwritten is only gone when what is left was written into a fresh folder, and that folder put in the place
// of the old one. The copy is checked on the way; a damaged log is not rewritten. Beside `log` there are then
//
//   log.fresh   being written: of no use when it is found
//   log.next    whole and on disk: it becomes the log where no log stands; beside one it is of no use either,
//               because the log may have gone on since
//   log.old     what was the log: to be removed
//
// Each step is one rename or one removal, and from whatever a kill leaves the next opening goes on. Nobody may
// write to the log between the copy and its taking the place: the old one's lock is held until it has moved.
import { AnnalsError } from './errors.ts';
import { CURSOR, META, positionOf } from './keys.ts';
import { bodyProblem, genesis, isBlank, openLink, openValue, parseHeader } from './record.ts';
import { levelStore, openStore, type Store, SYNCED, storeError } from './store.ts';

/** What rewriting asks of the file system; `src/platform` has it. */
export interface SwapFiles {
  exists(path: string): Promise<boolean>;
  /** Names in a folder; empty when there is none. */
  list(path: string): Promise<readonly string[]>;
  /** On disk when it returns. */
  rename(from: string, to: string): Promise<void>;
  /** A whole folder; nothing happens when there is none. */
  remove(path: string): Promise<void>;
}

/** After which of them a kill may come, in this order. */
export type RewriteStep = 'copied' | 'ready' | 'aside' | 'swapped' | 'opened' | 'cleared';
export type OnRewriteStep = (step: RewriteStep) => void | Promise<void>;

const BATCH_BYTES = 1024 * 1024;
const READ_AHEAD_BYTES = 1024 * 1024;
const ENTRIES_PER_READ = 2_000;
/** LevelDB's own options; a store in memory passes over them. */
const READ_ALL: object = { highWaterMarkBytes: READ_AHEAD_BYTES, fillCache: false };
/** The copy is only written, so it may gather much before it makes a table. */
const WRITE_BUFFER_BYTES = 16 * 1024 * 1024;

export function foldersOf(directory: string) {
  return { fresh: `${directory}.fresh`, next: `${directory}.next`, old: `${directory}.old` };
}

/** Removals of what others left in the way; each comes from another process that just then opened the home. */
const SHELLS_MAX = 20;

/**
 * Sees to it, before the log is opened, that it stands in its place when a kill left it in another. Says whether
 * there is a log. What stands at `log` is the log; whoever moved it aside holds the lock of `log.old` while it lives.
 * @throws AnnalsError HOME_LOCKED when another process is at it just now
 */
export async function settleSwap(directory: string, files: SwapFiles): Promise<boolean> {
  const { next, old } = foldersOf(directory);
  if (await isLog(directory, files)) return true;
  if (await files.exists(old)) return settleAside(directory, files);
  if (!(await files.exists(next)) || (await files.exists(directory))) return false;
  await renameOrWait(files, next, directory);
  return true;
}

/** The log was moved aside and nothing is in its place yet. */
async function settleAside(directory: string, files: SwapFiles): Promise<boolean> {
  const { next, old } = foldersOf(directory);
  const aside = levelStore(old, { mustExist: true });
  try {
    await openStore(aside);
  } catch (error) {
    await aside.close();
    if (error instanceof AnnalsError && error.code === 'HOME_LOCKED') throw beingRewritten(error);
    // Whatever else is wrong with it: nobody is at it.
  }
  try {
    // Whoever held the lock before may have done it.
    if (await isLog(directory, files)) return true;
    if (await isLog(next, files)) {
      await renameOrWait(files, next, directory);
      return true;
    }
  } finally {
    await aside.close();
  }
  if (!(await isLog(old, files))) return false;
  await renameOrWait(files, old, directory);
  return true;
}

/**
 * With the lock of the log held: whoever was rewriting is gone, and what it left beside the log is of no use, for
 * the log may have gone on since.
 * @throws AnnalsError HOME_LOCKED when the log was only just made, in the place of one that was being exchanged
 */
export async function clearSwap(store: Store, directory: string, files: SwapFiles): Promise<void> {
  const { fresh, next, old } = foldersOf(directory);
  const isBeside = (await isLog(next, files)) || (await isLog(old, files));
  if (isBeside && (await isEmpty(store))) {
    await files.remove(directory);
    throw beingRewritten();
  }
  for (const left of [next, old, fresh]) if (await files.exists(left)) await files.remove(left);
}

/** Opens the log's store again, where it stands. @throws AnnalsError HOME_LOCKED, LOG_DAMAGED, HOME_UNWRITABLE */
export async function openAgain(store: Store, directory: string, files: SwapFiles): Promise<void> {
  try {
    await store.open({ createIfMissing: false });
  } catch (error) {
    if (!(await isLog(directory, files))) throw beingRewritten(error);
    throw storeError(error, 'The log could not be opened again');
  }
}

/**
 * Puts the fresh folder in the place of the log's, whose store is open and so locked, and opens it there.
 * On Windows a folder with open files cannot be moved: there the lock is let go first.
 */
export async function swapIn(
  store: Store,
  directory: string,
  files: SwapFiles,
  onStep: OnRewriteStep = () => {},
): Promise<void> {
  const { next, old } = foldersOf(directory);
  if (process.platform === 'win32') await store.close();
  await files.remove(old);
  await files.rename(directory, old);
  await onStep('aside');
  await renameUnlessDone(files, next, directory);
  await onStep('swapped');
  await store.close();
  await openAgain(store, directory, files);
  await onStep('opened');
  await files.remove(old);
  await onStep('cleared');
}

/** Removes a copy that did not become the log. To be called while the log stands and its lock is held. */
export async function discardCopy(directory: string, files: SwapFiles): Promise<void> {
  const { fresh, next } = foldersOf(directory);
  try {
    await files.remove(next);
    await files.remove(fresh);
  } catch (error) {
    throw new AnnalsError(
      'HOME_UNWRITABLE',
      'A copy of the log that was not finished could not be removed; nothing is taken before it is.',
      { hint: `Remove ${next} and ${fresh}; the log itself is whole.`, cause: error },
    );
  }
}

/** LevelDB makes a folder, a lock and a file of messages even where it is told to open only what there is. */
export function isLog(directory: string, files: SwapFiles): Promise<boolean> {
  return files.exists(`${directory}/CURRENT`);
}

export function beingRewritten(cause?: unknown): AnnalsError {
  return new AnnalsError('HOME_LOCKED', 'The log is being rewritten by another process.', { cause });
}

async function isEmpty(store: Store): Promise<boolean> {
  return (await store.keys({ limit: 1 }).all()).length === 0;
}

async function renameOrWait(files: SwapFiles, from: string, to: string): Promise<void> {
  try {
    await renameUnlessDone(files, from, to);
  } catch (error) {
    const code = codeOf(error);
    throw code === 'ENOENT' || isInTheWay(code) ? beingRewritten(error) : error;
  }
}

/** Whoever opens the home meanwhile may have done it, or have left the shell of a store where it is to stand. */
async function renameUnlessDone(files: SwapFiles, from: string, to: string): Promise<void> {
  for (let shells = 0; ; shells++) {
    try {
      return await files.rename(from, to);
    } catch (error) {
      const left = await files.exists(from);
      if (!left && (await isLog(to, files))) return;
      if (!left || shells === SHELLS_MAX || !isInTheWay(codeOf(error)) || (await isLog(to, files)))
        throw error;
    }
    await files.remove(to);
  }
}

function isInTheWay(code: unknown): boolean {
  // Windows says EPERM for a folder that is there.
  return code === 'ENOTEMPTY' || code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM');
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export interface CopyRequest {
  readonly store: Store;
  readonly directory: string;
  readonly logId: string;
  readonly files: SwapFiles;
  readonly isForgotten: (eventId: string) => boolean;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Copies everything that stands in the store into `log.next`. @throws AnnalsError LOG_DAMAGED, DISK_FULL */
export async function copyAside(request: CopyRequest, onStep: OnRewriteStep = () => {}): Promise<number> {
  const { store, directory, files } = request;
  const { fresh, next } = foldersOf(directory);
  await files.remove(fresh);
  await files.remove(next);
  const target = levelStore(fresh, { writeBufferBytes: WRITE_BUFFER_BYTES });
  await openStore(target);
  let events = 0;
  try {
    events = await copyEntries(store, target, request);
    await target.close();
  } catch (error) {
    await target.close();
    await files.remove(fresh);
    throw storeError(error, 'The log could not be rewritten');
  }
  await onStep('copied');
  await files.rename(fresh, next);
  await onStep('ready');
  return events;
}

async function copyEntries(store: Store, target: Store, request: CopyRequest): Promise<number> {
  const check = new CopyCheck(request);
  const iterator = store.iterator(READ_ALL);
  try {
    let batch = target.batch() as ReturnType<Store['batch']>;
    let bytes = 0;
    for (let entries = await iterator.nextv(ENTRIES_PER_READ); entries.length > 0; ) {
      const coming = iterator.nextv(ENTRIES_PER_READ);
      coming.catch(() => {});
      for (const [key, value] of entries) {
        check.see(key, value);
        batch.put(key, value);
        bytes += key.length + value.length;
        if (bytes < BATCH_BYTES) continue;
        await batch.write();
        batch = target.batch() as ReturnType<Store['batch']>;
        bytes = 0;
      }
      request.onProgress?.(check.events);
      entries = await coming;
    }
    // One sync at the end: until then the copy is nobody's.
    await batch.write(SYNCED);
    return check.events;
  } finally {
    await iterator.close();
  }
}

/** Nothing that is not as it was written may become the log, and its old bytes be thrown away. */
class CopyCheck {
  readonly #isForgotten: CopyRequest['isForgotten'];
  #chain: string;
  events = 0;

  constructor({ logId, isForgotten }: CopyRequest) {
    this.#isForgotten = isForgotten;
    this.#chain = genesis(logId);
  }

  see(key: Buffer, value: Buffer): void {
    const position = positionOf(key);
    if (position !== null) this.#event(position, value);
    else if ((key[0] === CURSOR || key[0] === META) && openValue(key, value) === undefined)
      throw refused('a cursor or the meta record is not what was written', null);
  }

  #event(position: number, record: Buffer): void {
    this.events += 1;
    if (position !== this.events) throw refused('an event is missing', this.events);
    const linked = openLink(record, this.#chain);
    if ('kind' in linked) throw refused(linked.message, position);
    this.#chain = linked.chain;
    if (isBlank(record) && this.#isForgotten(parseHeader(record)?.id ?? '')) return;
    const wrong = bodyProblem(record, linked.bodyStart);
    if (wrong !== null) throw refused(wrong.message, position);
  }
}

function refused(what: string, position: number | null): AnnalsError {
  const where = position === null ? '' : ` at position ${position}`;
  return new AnnalsError(
    'LOG_DAMAGED',
    `The log was not rewritten, because it is damaged${where}: ${what}.`,
    {
      hint: 'Run annals verify to see all of it. The log stands as it was.',
      facts: { position },
    },
  );
}
