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
// write to the log between the copy and its taking the place. The lock of a folder that moves cannot see to that
// alone: the new one is nobody's for a moment, and on Windows the old one has to be let go of before it can be moved.
// So there is a guard, an empty store beside the log that never moves; the system lets go of its lock with the process.
// The rewriter holds it from the copy until the log is open again. Whoever opens the log and finds anything beside it
// asks for the guard before it writes, and gives the log back where it is held: somebody is at work. Where
// nothing stands beside the log, which is nearly always, nobody asks.
import { dirname, join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { AnnalsError } from '../errors.ts';
import { levelStore, type MakeStore, openStore, type Store, storeError } from '../store.ts';

/** What rewriting asks of the file system; `src/platform` has it. */
export interface SwapFiles {
  exists(path: string): Promise<boolean>;
  /** Names in a folder; empty when there is none. */
  list(path: string): Promise<readonly string[]>;
  /** On disk when it returns. */
  rename(from: string, to: string): Promise<void>;
  /** A whole folder; nothing happens when there is none. */
  remove(path: string): Promise<void>;
  /** Which folder it is, wherever it is moved; null when there is none. */
  identity(path: string): Promise<string | null>;
  /** Instead of LevelDB in a folder; the simulation holds its folders in memory. */
  readonly makeStore?: MakeStore;
}

export function storeMaker(files: SwapFiles | undefined): MakeStore {
  return files?.makeStore ?? levelStore;
}

/** After which of them a kill may come, in this order. */
export type RewriteStep = 'copied' | 'ready' | 'aside' | 'swapped' | 'opened' | 'cleared';
export type OnRewriteStep = (step: RewriteStep) => void | Promise<void>;

export function foldersOf(directory: string) {
  return { fresh: `${directory}.fresh`, next: `${directory}.next`, old: `${directory}.old` };
}

/** Never moved and never removed, and held only while something is done to the folders above. */
function guardOf(directory: string): string {
  return join(dirname(directory), 'rewriting');
}

/** Whoever holds it besides a rewriter looks around and lets go: some 2 s are far more than that takes. */
const TRIES_MAX = 100;
const TRY_AGAIN_MS = 20;

/**
 * The right to move the log's folders; `close` gives it back.
 * @throws AnnalsError HOME_LOCKED when another has it, LOG_DAMAGED when the guard's own files are damaged
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

/** It holds nothing, but who removes it while another rewrites takes its lock away: only a person can know. */
function guardDamaged(guard: string, cause: unknown): AnnalsError {
  return new AnnalsError(
    'LOG_DAMAGED',
    `The log cannot be rewritten, because the files of its lock for that, ${guard}, are damaged.`,
    {
      hint: `The log itself is whole. See that no other annals runs, remove the folder ${guard} and try again.`,
      cause,
    },
  );
}

/** Does something with the guard held. @throws AnnalsError HOME_LOCKED when another has it and keeps it */
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

/** Removals of what others left in the way; each comes from another process that just then opened the home. */
const SHELLS_MAX = 20;

/**
 * Sees to it, before the log is opened, that it stands in its place when a kill left it in another. Says whether
 * there is a log. What stands at `log` is the log.
 * @throws AnnalsError HOME_LOCKED when another process is at it just now
 */
export async function settleSwap(directory: string, files: SwapFiles): Promise<boolean> {
  const { next, old } = foldersOf(directory);
  if (await isLog(directory, files)) return true;
  if (!(await files.exists(old)) && !(await files.exists(next))) return false;
  return guarded(directory, files, () => settle(directory, files), 1);
}

async function settle(directory: string, files: SwapFiles): Promise<boolean> {
  const { next, old } = foldersOf(directory);
  // Whoever held the guard before may have done it.
  if (await isLog(directory, files)) return true;
  for (const aside of [next, old]) {
    if (!(await isLog(aside, files))) continue;
    await renameOrWait(files, aside, directory);
    return true;
  }
  return false;
}

/**
 * With the lock of the log held: whoever was rewriting is gone, and what it left beside the log is of no use, for
 * the log may have gone on since.
 * @throws AnnalsError HOME_LOCKED when somebody is at work, or when the log was only just made in the place of one
 *   that was being exchanged
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
  // Another may have opened it meanwhile: it finds the old one beside it and the guard held, and gives it back.
  await patiently(() => openAgain(store, directory, files), TRIES_MAX);
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

/** Whether another folder stands there by now. Where the system gives a folder another name each time it says nothing. */
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
