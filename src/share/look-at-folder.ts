// What a folder is now, on this machine: for a folder that the log knows only from another machine, because both have the
// repository at the same path, and for a project without captured events.
import { loadCatalog } from '../../log/index.ts';
import { identityOf } from '../../projections/index.ts';
import { describeWorkdir } from '../capture/workdirs/index.ts';
import { repositoryFiles } from '../platform/repository-files-on-disk.ts';
import { type LookAtFolder, placeOf } from './sync/placement.ts';

export async function lookAtFolder(): Promise<LookAtFolder> {
  const identify = await identifier();
  return (cwd) => {
    const found = identify(cwd);
    return found && placeOf(found.identity, found.root);
  };
}

/** The project of a folder; null when there is no such folder. */
export async function projectAt(
  folder: string,
): Promise<{ readonly key: string; readonly name: string } | null> {
  const found = (await identifier())(folder);
  return found && { key: found.identity.key, name: found.identity.names[0]! };
}

async function identifier() {
  const catalog = await loadCatalog();
  return (cwd: string) => {
    const look = describeWorkdir(cwd, repositoryFiles);
    if (look === null) return null;
    const seen = catalog['workdir.seen'].body.parse(look);
    return { identity: identityOf(cwd, seen, () => null), root: seen.root };
  };
}
