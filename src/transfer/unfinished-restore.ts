// Checks at opening whether a home is being restored. Separate from the restore code, which few commands need.
import { AnnalsError } from '../../log/index.ts';
import { stat } from '../platform/disk-files.ts';
import type { HomePaths } from '../platform/home-paths.ts';

/** @throws AnnalsError RESTORE_UNFINISHED */
export async function refuseIfRestoring(paths: HomePaths): Promise<void> {
  if ((await stat(paths.restoring)) === null) return;
  throw new AnnalsError('RESTORE_UNFINISHED', `A restore into ${paths.home} has not finished.`, {
    hint: `Run \`annals restore <export>\` again. To start with an empty log instead, remove ${paths.restoring}.`,
    facts: { home: paths.home },
  });
}
