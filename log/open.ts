// Opening the log: its folder found, also where a kill left it elsewhere, LevelDB opened, and the end of the log held
// against what is written beside it. One process holds it at a time.
import { AnnalsError } from './errors.ts';
import { readTail } from './format/tail.ts';
import type { Log, LogFiles, LogWorld } from './log.ts';
import { readOrCreateMeta } from './meta.ts';
import { OpenedLog } from './opened-log.ts';
import {
  beingRewritten,
  clearSwap,
  hasMoved,
  isLog,
  type SwapFiles,
  settleSwap,
  storeMaker,
} from './rewrite/swap-folders.ts';
import { levelStore, openStore, type Store, storeError } from './store.ts';

export interface OpenLogOptions {
  /** LevelDB's folder; made when it is missing. */
  readonly directory: string;
  /** Where the head is written beside the log; null for none (a log in memory). */
  readonly headFile: string | null;
  readonly world: LogWorld;
  readonly files: LogFiles;
  /** What rewriting needs; without it the log can be told to forget, but not be rewritten. */
  readonly swap?: SwapFiles;
  /** Instead of LevelDB: any abstract-level store made with buffer keys and buffer values. */
  readonly store?: Store;
  /** Bytes LevelDB gathers before it makes a table. Default 4 MiB; tests make it small. */
  readonly writeBufferBytes?: number;
}

/** @throws AnnalsError HOME_LOCKED at once, LOG_DAMAGED, LOG_TOO_NEW, DISK_FULL, HOME_UNWRITABLE */
export async function openLog(options: OpenLogOptions): Promise<Log> {
  const { directory, headFile, world, files, swap } = options;
  const store = options.store ?? (await openFolder(options));
  await openStore(store);
  try {
    if (swap !== undefined && options.store === undefined) await clearSwap(store, directory, swap);
    const { meta, problem } = await readOrCreateMeta(store, world);
    const tail = await readTail(store, meta.logId, meta.origin);
    const log = new OpenedLog(store, meta, tail, { directory, headFile, world, files, swap });
    await log.readTombstones();
    if (problem !== null) log.damage.push(problem);
    const lost = await log.compareHeadFile();
    if (lost !== null) log.damage.push(lost);
    return log;
  } catch (error) {
    await store.close();
    throw storeError(error, 'The log could not be opened');
  }
}

/** The log's own folder, also when a kill left it somewhere else, or another process is moving it just now. */
async function openFolder(options: OpenLogOptions): Promise<Store> {
  const { directory, swap } = options;
  if (swap === undefined) return levelStore(directory, options);
  const mustExist = await hasLog(directory, swap)
    .then((exists) => exists || settleSwap(directory, swap))
    .catch((error: unknown) => {
      throw storeError(error, 'The log could not be opened');
    });
  const store = storeMaker(swap)(directory, { ...options, mustExist });
  const found = mustExist ? await swap.identity(directory) : null;
  try {
    await openStore(store);
    // Where a new log took the place meanwhile, the lock that we got may be that of the old one.
    if (mustExist && (await hasMoved(directory, found, swap))) throw beingRewritten();
    return store;
  } catch (error) {
    await store.close();
    if (mustExist && !(await isLog(directory, swap))) throw beingRewritten(error);
    throw error;
  }
}

/**
 * Whether a log stands in a folder. Where LevelDB finds no CURRENT it begins an empty store and removes every table
 * that it does not know: so a folder that lost that one file is refused before anything opens it.
 * @throws AnnalsError LOG_DAMAGED
 */
async function hasLog(directory: string, swap: SwapFiles): Promise<boolean> {
  const names = await swap.list(directory);
  if (names.includes('CURRENT') || (await isLog(directory, swap))) return true;
  if (!names.some((name) => /\.(ldb|sst|log)$/.test(name))) return false;
  throw new AnnalsError('LOG_DAMAGED', 'The log holds events, but its file CURRENT is missing.', {
    hint: `Put CURRENT back from a copy of ${directory}: one line that names its MANIFEST file. Nothing was changed.`,
    facts: { file: 'CURRENT' },
  });
}
