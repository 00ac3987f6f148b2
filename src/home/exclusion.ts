// Which folders are not recorded: those that the settings exclude, and the observer's own, where it starts an agent.
import { homedir } from 'node:os';
import { exclusionBy } from '../capture/workdirs/exclude.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import { isInside } from '../platform/path-inside.ts';
import { repositoryFiles } from '../platform/repository-files-on-disk.ts';

/** How long an answer is kept: many events come from one folder, but links may change. */
const KEPT_MS = 1_000;

export function exclusionOf(
  patterns: readonly string[],
  { observer }: Pick<HomePaths, 'observer'>,
  now: () => number,
): (folder: string | null) => boolean {
  const { realPath } = repositoryFiles;
  const isExcluded = exclusionBy(patterns, { home: homedir(), realPath });
  // An agent reports its folder with links resolved.
  const own = [observer, realPath(observer)];
  const kept = new Map<string, boolean>();
  let since = now();
  return (cwd) => {
    if (cwd === null) return patterns.length > 0;
    const at = now();
    if (Math.abs(at - since) >= KEPT_MS) {
      kept.clear();
      since = at;
    }
    const answer = kept.get(cwd) ?? (own.some((folder) => isInside(cwd, folder)) || isExcluded(cwd));
    kept.set(cwd, answer);
    return answer;
  };
}
