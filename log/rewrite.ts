// Rewriting: LevelDB keeps old values in its files until chance compacts them away, so what was blanked or
// overwritten is only gone when what is left was written into a fresh folder, and that folder put in the place
// of the old one. The copy is checked on the way; a damaged log is not rewritten. Beside `log` there are then
//
//   log.fresh   being written: of no use when it is found
//   log.next    whole and on disk: it is to become the log
//   log.old     what was the log: to be removed
//
// Each step is one rename or one removal, and from whatever a kill leaves the next opening goes on. Nobody may
// write to the log between the copy and its taking the place: the old one's lock is held until it has moved.
import { AnnalsError } from './errors.ts';
import { CURSOR, META, positionOf } from './keys.ts';
import { genesis, isBlank, openBody, openHeader, openValue } from './record.ts';
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

/** Goes on from what a kill left, before the log is opened. Says whether there is a log to open. */
export async function settleSwap(directory: string, files: SwapFiles): Promise<boolean> {
  const { next, old } = foldersOf(directory);
  const found = {
    log: await files.exists(directory),
    next: await files.exists(next),
    old: await files.exists(old),
  };
  if (found.log && found.next && found.old)
    throw new AnnalsError('LOG_DAMAGED', 'The home holds three logs and nothing says which is the one.', {
      hint: `Keep a copy of the home; then remove ${directory} if it holds nothing of yours.`,
    });
  if (!found.log && found.next) await renameUnlessDone(files, next, directory);
  else if (!found.log && found.old) await renameUnlessDone(files, old, directory);
  if ((found.log || found.next) && found.old) await files.remove(old);
  return found.log || found.next || found.old;
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
  await openStore(store);
  await onStep('opened');
  await files.remove(old);
  await onStep('cleared');
}

/** Whoever opens the home meanwhile may have done it. */
async function renameUnlessDone(files: SwapFiles, from: string, to: string): Promise<void> {
  try {
    await files.rename(from, to);
  } catch (error) {
    if ((await files.exists(from)) || !(await files.exists(to))) throw error;
  }
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
    const opened = openHeader(record, this.#chain);
    if ('kind' in opened) throw refused(opened.message, position);
    this.#chain = opened.chain;
    if (isBlank(record) && this.#isForgotten(opened.header.id)) return;
    const body = openBody(record, opened.bodyStart);
    if (typeof body !== 'string') throw refused(body.message, position);
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
