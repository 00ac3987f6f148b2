// How an opening knows that a home is being restored, apart from restoring itself, which few commands need.
import { AnnalsError } from '../../log/index.ts';
import { stat } from '../platform/disk-files.ts';
import type { HomePaths } from '../platform/home-paths.ts';

/** @throws AnnalsError RESTORE_UNFINISHED */
export async function refuseIfRestoring(paths: HomePaths): Promise<void> {
  if ((await stat(paths.restoring)) === null) return;
  throw new AnnalsError('RESTORE_UNFINISHED', `A restore into ${paths.home} has not come to its end.`, {
    hint: `Run \`annals restore <export>\` again. To begin with an empty log instead, remove ${paths.restoring}.`,
    facts: { home: paths.home },
  });
}
