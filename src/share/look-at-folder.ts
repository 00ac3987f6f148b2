// What a folder is now, on this machine. Sharing asks it of a folder that events of this machine name for the first time: the
// log may have its description only from another machine.
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
