// Which folders are not recorded: those that the settings exclude, and the observer's own, where it starts an agent.
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import type { HomePaths } from '../platform/home-paths.ts';
import { repositoryFiles } from '../platform/repository-files-on-disk.ts';

/** The pattern library is loaded only if there are patterns. */
export async function exclusionOf(
  patterns: readonly string[],
  { home, observer }: Pick<HomePaths, 'home' | 'observer'>,
): Promise<(cwd: string) => boolean> {
  // An agent reports its folder with links resolved.
  const own = [observer, join(repositoryFiles.realPath(home), 'observer')];
  const isOwn = (cwd: string) => own.some((folder) => cwd === folder || cwd.startsWith(folder + sep));
  if (patterns.length === 0) return isOwn;
  const { isExcluded } = await import('../capture/workdirs/exclude.ts');
  const userHome = homedir();
  return (cwd) => isOwn(cwd) || isExcluded(cwd, patterns, userHome);
}
