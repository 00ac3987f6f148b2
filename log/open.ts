// Opens the log: finds its folder (a killed rewrite may have left it under another name), opens LevelDB and compares
// the end of the log with the head file. One process has the log open at a time.
import { AnnalsError } from './errors.ts';
import { readTail } from './format/tail.ts';
import { cutManifest } from './leveldb-files/wal-records.ts';
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
  /** LevelDB's folder; created when it is missing. */
  readonly directory: string;
  /** Path of the head file; null for none (a log in memory). */
  readonly headFile: string | null;
  readonly world: LogWorld;
  readonly files: LogFiles;
  /** File operations for rewriting; without them the log can forget, but not be rewritten. */
  readonly swap?: SwapFiles;
  /** Replaces LevelDB: any abstract-level store with buffer keys and buffer values. */
  readonly store?: Store;
  /** Bytes LevelDB buffers before it writes a table. Default 4 MiB; tests make it small. */
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

/** Opens the log's folder; first moves it back when a killed rewrite left it under another name. */
async function openFolder(options: OpenLogOptions): Promise<Store> {
  const { directory, swap } = options;
  if (swap === undefined) {
    await refuseCutManifest(options);
    return levelStore(directory, options);
  }
  const mustExist = await hasLog(directory, swap)
    .then((exists) => exists || settleSwap(directory, swap))
    .catch((error: unknown) => {
      throw storeError(error, 'The log could not be opened');
    });
  await refuseCutManifest(options);
  const store = storeMaker(swap)(directory, { ...options, mustExist });
  const found = mustExist ? await swap.identity(directory) : null;
  try {
    await openStore(store);
    // If a rewritten log was swapped in meanwhile, our lock may be that of the old folder.
    if (mustExist && (await hasMoved(directory, found, swap))) throw beingRewritten();
    return store;
  } catch (error) {
    await store.close();
    if (mustExist && !(await isLog(directory, swap))) throw beingRewritten(error);
    throw error;
  }
}

/**
 * Whether a folder holds a log. Without CURRENT, LevelDB would create an empty store and remove every table it does
 * not know, so a folder that lost only that file is refused before anything opens it.
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

/** @throws AnnalsError LOG_DAMAGED before LevelDB removes files that only the lost part of a MANIFEST names */
async function refuseCutManifest({ directory, files: { wholeFiles } }: OpenLogOptions): Promise<void> {
  const file = wholeFiles === undefined ? null : await cutManifest(directory, wholeFiles);
  if (file === null) return;
  throw new AnnalsError('LOG_DAMAGED', `The log's file ${file} has lost its end.`, {
    hint: `Put ${file} back from a copy of ${directory}, or restore a backup. Nothing was changed.`,
    facts: { file },
  });
}
