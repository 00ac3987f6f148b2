// The second half of a rewrite: swaps the folders. LevelDB keeps old values in its files until it happens to compact
// them, so blanked and overwritten values are gone only after the current entries were copied into a fresh folder that
// replaces the old one. During a rewrite there are, beside `log`:
//
//   log.fresh   being written; useless after a kill
//   log.next    complete and on disk; it becomes the log when there is no `log`; otherwise it is useless too,
//               because the log may have got further events since
//   log.old     the replaced log, to be removed
//
// Each step is one rename or one removal, and the next open continues from the state that a kill leaves. No process
// may write to the log between the copy and the swap. The lock of a folder that is moved cannot ensure that: for a
// moment no process has locked the new folder, and on Windows the old one must be unlocked before it can be moved. So
// there is a guard: an empty store beside the log that never moves; its lock is released when its process ends. The
// rewriter holds the guard from the copy until the log is open again. A process that opens the log and finds one of
// these folders takes the guard before it writes; when the guard is held, it closes the log again, because another
// process is rewriting it. When none of these folders exists, which is nearly always, the guard is not needed.
import { dirname, join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { AnnalsError } from '../errors.ts';
import { levelStore, type MakeStore, openStore, type Store, storeError } from '../store.ts';

/** The file operations for rewriting; implemented in `src/platform`. */
export interface SwapFiles {
  exists(path: string): Promise<boolean>;
  /** Names in a folder; empty when there is none. */
  list(path: string): Promise<readonly string[]>;
  /** The rename is on disk when this returns. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a folder with its contents; does nothing when there is none. */
  remove(path: string): Promise<void>;
  /** An identifier that a folder keeps when it is moved; null when there is no folder. */
  identity(path: string): Promise<string | null>;
  /** Replaces LevelDB in a folder; the simulation keeps its folders in memory. */
  readonly makeStore?: MakeStore;
}

export function storeMaker(files: SwapFiles | undefined): MakeStore {
  return files?.makeStore ?? levelStore;
}

/** The steps of a rewrite, in order; tests kill the process after each. */
export type RewriteStep = 'copied' | 'ready' | 'aside' | 'swapped' | 'opened' | 'cleared';
export type OnRewriteStep = (step: RewriteStep) => void | Promise<void>;

export function foldersOf(directory: string) {
  return { fresh: `${directory}.fresh`, next: `${directory}.next`, old: `${directory}.old` };
}

/** Never moved, never removed, and held only while the folders above are changed. */
function guardOf(directory: string): string {
  return join(dirname(directory), 'rewriting');
}

/** A process that is not rewriting holds the guard only briefly: 2 s of tries are far more than that takes. */
const TRIES_MAX = 100;
const TRY_AGAIN_MS = 20;

/**
 * Takes the guard; `close` releases it.
 * @throws AnnalsError HOME_LOCKED when another process has it, LOG_DAMAGED when the guard's own files are damaged
 */
async function takeGuard(directory: string, files: SwapFiles): Promise<Store> {
  const guard = storeMaker(files)(guardOf(directory));
  try {
    await openStore(guard);
    return guard;
  } catch (error) {
    await guard.close();
    const code = error instanceof AnnalsError ? error.code : null;
    if (code === 'LOG_DAMAGED') throw guardDamaged(guardOf(directory), error);
    throw code === 'HOME_LOCKED' ? beingRewritten(error) : error;
  }
}

/** The guard is empty, but removing it while another process rewrites would remove that process's lock, so a person must do it. */
function guardDamaged(guard: string, cause: unknown): AnnalsError {
  return new AnnalsError(
    'LOG_DAMAGED',
    `The log cannot be rewritten, because the lock for rewriting, ${guard}, is damaged.`,
    {
      hint: `The log itself is intact. Make sure that no other annals is running, remove the folder ${guard} and try again.`,
      cause,
    },
  );
}

/** Runs `work` while holding the guard. @throws AnnalsError HOME_LOCKED when another process keeps it during all tries */
export async function guarded<T>(
  directory: string,
  files: SwapFiles,
  work: () => Promise<T>,
  tries = TRIES_MAX,
): Promise<T> {
  const guard = await patiently(() => takeGuard(directory, files), tries);
  try {
    return await work();
  } finally {
    await guard.close();
  }
}

async function patiently<T>(attempt: () => Promise<T>, tries: number): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || !(error instanceof AnnalsError) || error.code !== 'HOME_LOCKED') throw error;
    }
    await later(TRY_AGAIN_MS);
  }
}

/** Limit on removals of empty folders that other processes create when they open the home at the same time. */
const SHELLS_MAX = 20;

/**
 * Before the log is opened: moves it back to `log` when a killed rewrite left it under another name. Returns whether
 * there is a log. A folder at `log` always counts as the log.
 * @throws AnnalsError HOME_LOCKED when another process is rewriting it
 */
export async function settleSwap(directory: string, files: SwapFiles): Promise<boolean> {
  const { next, old } = foldersOf(directory);
  if (await isLog(directory, files)) return true;
  if (!(await files.exists(old)) && !(await files.exists(next))) return false;
  return guarded(directory, files, () => settle(directory, files), 1);
}

async function settle(directory: string, files: SwapFiles): Promise<boolean> {
  const { next, old } = foldersOf(directory);
  // The previous holder of the guard may have moved it.
  if (await isLog(directory, files)) return true;
  for (const folder of [next, old]) {
    if (!(await isLog(folder, files))) continue;
    await renameOrWait(files, folder, directory);
    return true;
  }
  return false;
}

/**
 * Removes the leftovers of a killed rewrite. The caller holds the log's lock. A leftover copy is useless, because the
 * log may have got further events since.
 * @throws AnnalsError HOME_LOCKED when another process is rewriting, or when our log is a new empty one that was
 *   created in the middle of a swap
 */
export async function clearSwap(store: Store, directory: string, files: SwapFiles): Promise<void> {
  const { fresh, next, old } = foldersOf(directory);
  const left: string[] = [];
  for (const path of [next, old, fresh]) if (await files.exists(path)) left.push(path);
  if (left.length === 0) return;
  await guarded(
    directory,
    files,
    async () => {
      const isBeside = (await isLog(next, files)) || (await isLog(old, files));
      if (isBeside && (await isEmpty(store))) {
        await files.remove(directory);
        throw beingRewritten();
      }
      for (const path of left) await files.remove(path);
    },
    1,
  );
}

/** Reopens the log's store in its folder. @throws AnnalsError HOME_LOCKED, LOG_DAMAGED, HOME_UNWRITABLE */
export async function openAgain(store: Store, directory: string, files: SwapFiles): Promise<void> {
  try {
    await store.open({ createIfMissing: false });
  } catch (error) {
    if (!(await isLog(directory, files))) throw beingRewritten(error);
    throw storeError(error, 'The log could not be opened again');
  }
}

/**
 * Replaces the log's folder, whose store is open and so locked, by the copy, and opens the copy.
 * Windows cannot move a folder with open files, so there the store is closed first.
 */
export async function swapInCopy(
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
  // Another process may have opened it meanwhile; it finds `log.old` and the held guard, and closes the log again.
  await patiently(() => openAgain(store, directory, files), TRIES_MAX);
  await onStep('opened');
  await files.remove(old);
  await onStep('cleared');
}

/** Removes a copy that was not swapped in. Call it only while `log` exists and its lock is held. */
export async function discardCopy(directory: string, files: SwapFiles): Promise<void> {
  const { fresh, next } = foldersOf(directory);
  try {
    await files.remove(next);
    await files.remove(fresh);
  } catch (error) {
    throw new AnnalsError(
      'HOME_UNWRITABLE',
      'An unfinished copy of the log could not be removed; the log accepts no events until it is.',
      { hint: `Remove ${next} and ${fresh}; the log itself is intact.`, cause: error },
    );
  }
}

/** Looks for CURRENT, because LevelDB creates a folder, a lock and a message file even with `createIfMissing: false`. */
export function isLog(directory: string, files: SwapFiles): Promise<boolean> {
  return files.exists(`${directory}/CURRENT`);
}

/** Whether the folder was replaced by another one. Always false on a system where a folder's identity is not stable. */
export async function hasMoved(directory: string, before: string | null, files: SwapFiles): Promise<boolean> {
  const now = await files.identity(directory);
  return now !== before && now === (await files.identity(directory));
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

/** A process that opens the home at the same time may have done the rename, or have left an empty store at `to`. */
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
  // Windows reports EPERM when the target folder exists.
  return code === 'ENOTEMPTY' || code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM');
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
