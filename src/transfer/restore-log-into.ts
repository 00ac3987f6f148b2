// Restores an export into a home without events. A locked folder beside the log marks a restore that is running or was
// interrupted: such a home cannot be opened, and the next restore starts again. Under that lock the export is checked
// against its manifest before any event is written. Then the log is written into that folder, and only a complete log,
// synced and ending where the manifest says, is moved to the log's place.
import { join } from 'node:path';
import { AnnalsError, isAnnalsError, isDiskFull, type Log, openLog, restoreLog } from '../../log/index.ts';
import type { RestoreOptions, RestoreReport } from '../api.ts';
import { type LockWait, whenFree } from '../home/wait-for-lock.ts';
import { readText, writeAtomically } from '../platform/atomic-file.ts';
import { now } from '../platform/clock.ts';
import {
  errorCode,
  exists,
  folderBytes,
  identity,
  list,
  move,
  remove,
  stat,
} from '../platform/disk-files.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { checkExport, eventsOfExport, openExport, refuseUnnamed } from './export-folder.ts';

const LOCK_TIMEOUT_MS = 5_000;

/**
 * Writes the log; the next opening builds its views.
 * @throws AnnalsError INPUT_UNREADABLE, PASSPHRASE_WRONG, EXPORT_DAMAGED, LOG_TOO_NEW, INPUT_INVALID (a partial export),
 *   HOME_NOT_EMPTY, HOME_LOCKED, HOME_UNWRITABLE, DISK_FULL
 */
export async function restoreLogInto(
  paths: HomePaths,
  folder: string,
  options: RestoreOptions,
): Promise<Pick<RestoreReport, 'logId' | 'events' | 'blanked' | 'chain'>> {
  const { onProgress } = options;
  const found = await openExport(folder, options.passphrase);
  const { logId, after, head, events, blanked } = found.manifest;
  if (after.position > 0)
    throw new AnnalsError('INPUT_INVALID', `This export begins after position ${after.position}.`, {
      hint: 'First restore an export that starts at the beginning, then `annals import` this one.',
      facts: { after: after.position },
    });
  const wait = { timeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS, now };
  await refuseIfNotEmpty(paths, wait);
  await refuseIfTaken(paths.restoring);
  await remove(paths.restoring);
  let isOurs = false;
  try {
    const checkedEvents = async function* () {
      // The restore folder now exists and is locked: from here on the home cannot be opened.
      isOurs = true;
      const check = await checkExport(found, {
        onProgress: onProgress && ((done, total) => onProgress('checking', done, total)),
      });
      refuseUnnamed(found, check);
      yield* eventsOfExport(found, {
        onProgress: onProgress && ((done, total) => onProgress('writing', done, total)),
      });
    };
    const reached = await restoreLog(
      { directory: paths.restoring, logId, world: { randomBytes } },
      checkedEvents(),
    );
    if (reached.position !== head.position || reached.chain !== head.chain)
      throw new AnnalsError(
        'EXPORT_DAMAGED',
        `The export ends at ${reached.position} instead of ${head.position}.`,
      );
    await replaceLog(paths, reached, wait);
    return { logId, events, blanked, chain: reached.chain };
  } catch (error) {
    // A failed restore must not look like an interrupted one: remove the folder, unless another process made it.
    const isOthers = !isOurs && isAnnalsError(error) && error.code === 'HOME_LOCKED';
    if (!isOthers) await remove(paths.restoring);
    throw error;
  }
}

type Wait = Pick<LockWait, 'timeoutMs'>;

/**
 * Moves the log into place last: until then the restore folder marks the restore as unfinished. A process that opened the
 * home before that folder existed may have written since, so the old log is checked again, and locked until it is gone.
 */
async function replaceLog(
  paths: HomePaths,
  head: { logId: string; position: number; chain: string },
  wait: Wait,
): Promise<void> {
  const log = await openExistingLog(paths, wait);
  try {
    const { position } = log.head();
    if (position > 0) throw notEmpty(paths, position);
    // Windows cannot remove open files.
    if (process.platform === 'win32') await log.close();
    await remove(paths.views);
    await remove(paths.log);
  } finally {
    await log.close();
  }
  try {
    await writeAtomically(paths.head, `${JSON.stringify(head)}\n`);
    await move(paths.restoring, paths.log);
  } catch (error) {
    // It would be that of a log which is not there.
    if (await isFile(paths.head)) await remove(paths.head);
    throw notInPlace(paths, error);
  }
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.kind === 'file';
}

function notInPlace({ home }: HomePaths, error: unknown): AnnalsError {
  const system = errorCode(error);
  return new AnnalsError(
    isDiskFull(error) ? 'DISK_FULL' : 'HOME_UNWRITABLE',
    `The restored log could not be put into ${home} (${system}).`,
    { hint: 'The home has no events now. Restore again.', facts: { path: home, system }, cause: error },
  );
}

/** @throws AnnalsError HOME_NOT_EMPTY, HOME_LOCKED, LOG_DAMAGED */
async function refuseIfNotEmpty(paths: HomePaths, wait: Wait): Promise<void> {
  // An interrupted rewrite leaves the log under one of the other names; opening it moves it back.
  const existing = await Promise.all(['', '.next', '.old'].map((suffix) => exists(paths.log + suffix)));
  if (!existing.includes(true)) return;
  const log = await openExistingLog(paths, wait);
  const { position } = log.head();
  await log.close();
  if (position > 0) throw notEmpty(paths, position);
}

function openExistingLog(paths: HomePaths, wait: Wait): Promise<Log> {
  return whenFree(
    () =>
      openLog({
        directory: paths.log,
        headFile: null,
        world: { now, randomBytes },
        files: { readText, writeAtomically, folderBytes },
        swap: { exists, list, rename: move, remove, identity },
      }),
    wait,
  );
}

function notEmpty({ home }: HomePaths, events: number): AnnalsError {
  return new AnnalsError('HOME_NOT_EMPTY', `${home} already holds ${events} events.`, {
    hint: '`annals import <export>` merges an export into an existing log; --home <folder> restores elsewhere.',
    facts: { events },
  });
}

/** Another process may be restoring now: its LevelDB lock tells. @throws AnnalsError HOME_LOCKED */
async function refuseIfTaken(restoring: string): Promise<void> {
  if ((await stat(join(restoring, 'CURRENT'))) === null) return;
  try {
    const log = await openLog({
      directory: restoring,
      headFile: null,
      world: { now, randomBytes },
      files: { readText, writeAtomically, folderBytes },
    });
    await log.close();
  } catch (error) {
    // Any other error is damage that a kill left behind; the folder is removed anyway.
    if (isAnnalsError(error) && error.code === 'HOME_LOCKED') throw error;
  }
}
