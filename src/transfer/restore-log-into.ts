// Restoring an export into a home that holds no events. A folder aside, locked, says that a restore is under
// way or was stopped: nobody opens such a home, and the next restore begins again. Behind it the export is held
// against its manifest before an event is written; then the log is written there, and only a whole one, synced
// and ending where the manifest says, is moved to where a log stands.
import { join } from 'node:path';
import { AnnalsError, isAnnalsError, type Log, openLog, restoreLog } from '../../log/index.ts';
import type { RestoreOptions, RestoreReport } from '../api.ts';
import { type LockWait, whenFree } from '../home/wait-for-lock.ts';
import { readText, writeAtomically } from '../platform/atomic-file.ts';
import { now } from '../platform/clock.ts';
import { exists, folderBytes, identity, list, move, remove, stat } from '../platform/disk-files.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { checkExport, eventsOfExport, openExport, refuseUnnamed } from './export-folder.ts';

const LOCK_TIMEOUT_MS = 5_000;

/**
 * Puts the log in its place; its views are for the next opening to make.
 * @throws AnnalsError INPUT_UNREADABLE, PASSPHRASE_WRONG, EXPORT_DAMAGED, LOG_TOO_NEW, INPUT_INVALID (not from the beginning),
 *   HOME_NOT_EMPTY, HOME_LOCKED, DISK_FULL
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
      hint: 'Restore one that begins at the beginning, then `annals import` this one.',
      facts: { after: after.position },
    });
  const wait = { timeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS, now };
  await refuseIfNotEmpty(paths, wait);
  await refuseIfTaken(paths.restoring);
  await remove(paths.restoring);
  let isOurs = false;
  try {
    const checkedEvents = async function* () {
      // The folder aside stands now and is locked: from here on nobody opens the home.
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
    await takeWorkdir(paths, reached, wait);
    return { logId, events, blanked, chain: reached.chain };
  } catch (error) {
    // What failed is not to be taken for a restore that was stopped: nothing stays of it, unless it is another's.
    const isOthers = !isOurs && isAnnalsError(error) && error.code === 'HOME_LOCKED';
    if (!isOthers) await remove(paths.restoring);
    throw error;
  }
}

type Wait = Pick<LockWait, 'timeoutMs' | 'now'>;

/**
 * The log last: until it has its name, the folder aside says that this is not over. Whoever had opened the home
 * before that folder stood may have written since, so the log that goes is looked at again, and held until it is gone.
 */
async function takeWorkdir(
  paths: HomePaths,
  head: { logId: string; position: number; chain: string },
  wait: Wait,
): Promise<void> {
  const log = await openStanding(paths, wait);
  try {
    const { position } = log.head();
    if (position > 0) throw notEmpty(paths, position);
    // Windows removes no open file.
    if (process.platform === 'win32') await log.close();
    await remove(paths.views);
    await remove(paths.log);
  } finally {
    await log.close();
  }
  await writeAtomically(paths.head, `${JSON.stringify(head)}\n`);
  await move(paths.restoring, paths.log);
}

/** @throws AnnalsError HOME_NOT_EMPTY, HOME_LOCKED, LOG_DAMAGED */
async function refuseIfNotEmpty(paths: HomePaths, wait: Wait): Promise<void> {
  // A rewrite that was cut off leaves the log under one of the other names; opening puts it back.
  const existing = await Promise.all(['', '.next', '.old'].map((suffix) => exists(paths.log + suffix)));
  if (!existing.includes(true)) return;
  const log = await openStanding(paths, wait);
  const { position } = log.head();
  await log.close();
  if (position > 0) throw notEmpty(paths, position);
}

function openStanding(paths: HomePaths, wait: Wait): Promise<Log> {
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
    hint: '`annals import <export>` unites an export with what is there; --home <folder> restores elsewhere.',
    facts: { events },
  });
}

/** Another process may be restoring just now: its LevelDB says so. @throws AnnalsError HOME_LOCKED */
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
    // Whatever else is wrong with what a kill left behind does not matter: it goes.
    if (isAnnalsError(error) && error.code === 'HOME_LOCKED') throw error;
  }
}
