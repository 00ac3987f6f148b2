// What a folder is now, on this machine: for a folder that the log knows only from another machine, because both have the
// repository at the same path.
import { loadCatalog } from '../../log/index.ts';
import { describeWorkdir } from '../capture/workdirs/index.ts';
import { repositoryFiles } from '../platform/repository-files-on-disk.ts';
import type { LookAtFolder } from './sync/placement.ts';

export async function lookAtFolder(): Promise<LookAtFolder> {
  const { body } = (await loadCatalog())['workdir.seen'];
  return (cwd) => {
    const look = describeWorkdir(cwd, repositoryFiles);
    return look && body.parse(look);
  };
}
