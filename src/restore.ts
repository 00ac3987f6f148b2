// Restores a home from an export: first the log, then a first opening that builds the views, so that the first question
// is answered at once.
import { openAnnals } from './annals.ts';
import type { RestoreOptions, RestoreReport } from './api.ts';
import { now } from './platform/clock.ts';
import { exists, tryRemoveEmpty } from './platform/disk-files.ts';
import { openHome } from './platform/home-folder.ts';
import { homePath, homePaths } from './platform/home-paths.ts';
import { givenPath } from './platform/path-inside.ts';
import { restoreLogInto } from './transfer/restore-log-into.ts';

/**
 * Restores an export into a home that holds no events.
 * @throws AnnalsError INPUT_UNREADABLE, PASSPHRASE_WRONG, EXPORT_DAMAGED, LOG_TOO_NEW, INPUT_INVALID, HOME_NOT_EMPTY,
 *   HOME_INVALID, HOME_LOCKED, HOME_UNWRITABLE, DISK_FULL
 */
export async function restoreAnnals(folder: string, options: RestoreOptions = {}): Promise<RestoreReport> {
  const began = now();
  const { onProgress } = options;
  const source = givenPath(folder);
  const path = options.home ?? homePath();
  const isNew = !(await exists(path));
  const paths = homePaths(await openHome(path));
  const restored = await restoreLogInto(paths, source, options).catch((error: unknown) => {
    if (isNew) tryRemoveEmpty(path);
    throw error;
  });
  const annals = await openAnnals({ ...options, home: paths.home });
  try {
    const { views } = await annals.rebuild(undefined, {
      ...(onProgress && { onProgress: (done, total) => onProgress('replaying', done, total) }),
    });
    return { home: paths.home, ...restored, views, ms: now() - began };
  } finally {
    await annals.close();
  }
}
