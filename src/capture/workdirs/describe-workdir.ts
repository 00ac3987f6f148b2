// Describes a folder and the repository around it, for `workdir.seen`. It reads only files and runs no git process: the
// result is the same on a machine without git, and a repository's config cannot start anything. Every path is redacted
// like other captured text, so a token in a folder's name does not reach the log. Broken .git files, folders without
// permission and config files of gigabytes count as missing.
import { isAbsolute, join, parse, resolve } from 'node:path';
import type { BodyInput } from '../../../log/index.ts';
import { isInside } from '../../platform/path-inside.ts';
import { redactText } from '../redact/index.ts';
import { type Remote, remotesOf } from './git-config.ts';
import { proposalAt } from './proposal.ts';
import type { RepositoryFiles } from './repository-files.ts';

const CONFIG_BYTES_MAX = 1024 * 1024;
const POINTER_BYTES_MAX = 8 * 1024;
const LEVELS_MAX = 100;

/** What is known of a folder on this machine now. Null when it does not exist. Never throws. */
export function describeWorkdir(cwd: string, files: RepositoryFiles): BodyInput<'workdir.seen'> | null {
  if (!isAbsolute(cwd) || files.kind(cwd) !== 'folder') return null;
  const repository = repositoryAround(cwd, files);
  if (repository === null) return { cwd: redactText(cwd) };
  const { root, gitDir } = repository;
  const commonDir = commonDirOf(gitDir, files);
  const superproject = superprojectOf(root, commonDir, files);
  return {
    cwd: redactText(cwd),
    root: redactText(root),
    commonDir: redactText(files.realPath(commonDir)),
    worktree: commonDir !== gitDir,
    superproject: superproject === null ? null : redactText(superproject),
    remotes: remotesIn(commonDir, files),
    proposal: proposalAt(root, files),
  };
}

interface Repository {
  /** Root of the work tree. */
  readonly root: string;
  readonly gitDir: string;
}

/** The nearest folder upwards with a usable `.git` folder or file. */
function repositoryAround(from: string, files: RepositoryFiles): Repository | null {
  let folder = resolve(from);
  for (let level = 0; level < LEVELS_MAX; level++) {
    const gitDir = gitDirAt(folder, files);
    if (gitDir !== null) return { root: folder, gitDir };
    const above = parse(folder).dir;
    if (above === folder || above === '') return null;
    folder = above;
  }
  return null;
}

function gitDirAt(folder: string, files: RepositoryFiles): string | null {
  const entry = join(folder, '.git');
  const kind = files.kind(entry);
  if (kind === null) return null;
  if (kind === 'folder') return isGitDir(entry, files) ? entry : null;
  const pointed = /^gitdir:\s*(.+?)\s*$/m.exec(files.readText(entry, POINTER_BYTES_MAX) ?? '')?.[1];
  if (pointed === undefined) return null;
  const gitDir = resolve(folder, pointed);
  return isGitDir(gitDir, files) ? gitDir : null;
}

/** An empty folder named .git is not a repository: git itself requires HEAD. */
function isGitDir(path: string, files: RepositoryFiles): boolean {
  return files.kind(join(path, 'HEAD')) === 'file';
}

/** A worktree's git folder names the main repository's in `commondir`, usually as a relative path. */
function commonDirOf(gitDir: string, files: RepositoryFiles): string {
  const pointed = files.readText(join(gitDir, 'commondir'), POINTER_BYTES_MAX)?.trim();
  return pointed === undefined || pointed === '' ? gitDir : resolve(gitDir, pointed);
}

/** A submodule's git folder is in `.git/modules/…` of the repository that contains it. */
function superprojectOf(root: string, commonDir: string, files: RepositoryFiles): string | null {
  if (!/[\\/]modules[\\/]/.test(commonDir)) return null;
  const above = parse(root).dir;
  const holder = above === root ? null : repositoryAround(above, files);
  if (holder === null) return null;
  const modules = join(commonDirOf(holder.gitDir, files), 'modules');
  return isInside(files.realPath(commonDir), files.realPath(modules)) ? holder.root : null;
}

function remotesIn(commonDir: string, files: RepositoryFiles): Remote[] {
  const remotes = remotesOf(files.readText(join(commonDir, 'config'), CONFIG_BYTES_MAX) ?? '');
  return remotes.map(({ name, url }) => ({ name: redactText(name), url: redactText(url) }));
}
