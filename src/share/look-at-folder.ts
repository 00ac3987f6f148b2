// What a folder is now, on this machine: for a folder that the log knows only from another machine, because both have the
// repository at the same path, and for a project without captured events.
import { loadCatalog } from '../../log/index.ts';
import { identityOf } from '../../projections/index.ts';
import { describeWorkdir } from '../capture/workdirs/index.ts';
import { repositoryFiles } from '../platform/repository-files-on-disk.ts';
import type { LookAtFolder } from './sync/placement.ts';

export async function lookAtFolder(): Promise<LookAtFolder> {
  const identify = await identifier();
  return (cwd) => {
    const identity = identify(cwd);
    return identity && [identity, ...identity.parents].map(({ key }) => key);
  };
}

/** The project of a folder; null when there is no such folder. */
export async function projectAt(
  folder: string,
): Promise<{ readonly key: string; readonly name: string } | null> {
  const identity = (await identifier())(folder);
  return identity && { key: identity.key, name: identity.names[0]! };
}

async function identifier() {
  const catalog = await loadCatalog();
  return (cwd: string) => {
    const look = describeWorkdir(cwd, repositoryFiles);
    return look === null ? null : identityOf(cwd, catalog['workdir.seen'].body.parse(look), () => null);
  };
}
