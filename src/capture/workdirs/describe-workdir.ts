// Looks at a folder and the repository around it, for `workdir.seen`. Files only, no git process: the same
// answer on a machine without git, and nothing that a repository's own config could start.
// Every path is redacted like any other captured text, so a token in a folder's name stays out of the log.
// What goes wrong: broken .git files, folders without rights, config of gigabytes. All of it is "not seen".
import { isAbsolute, join, parse, resolve } from 'node:path';
import type { BodyInput } from '../../../log/index.ts';
import { redactText } from '../redact/index.ts';
import { type Remote, remotesOf } from './git-config.ts';
import { proposalAt } from './proposal.ts';
import type { RepositoryFiles } from './repository-files.ts';

const CONFIG_BYTES_MAX = 1024 * 1024;
const POINTER_BYTES_MAX = 8 * 1024;
const LEVELS_MAX = 100;

/** What can be said of a folder on this machine now; null when it is not there. Never throws. */
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

/** The nearest folder upwards that holds a usable `.git`, folder or file. */
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

/** An empty folder named .git is no repository: git itself asks for HEAD. */
function isGitDir(path: string, files: RepositoryFiles): boolean {
  return files.kind(join(path, 'HEAD')) === 'file';
}

/** A worktree's git folder names the main repository's in `commondir`, mostly relative. */
function commonDirOf(gitDir: string, files: RepositoryFiles): string {
  const pointed = files.readText(join(gitDir, 'commondir'), POINTER_BYTES_MAX)?.trim();
  return pointed === undefined || pointed === '' ? gitDir : resolve(gitDir, pointed);
}

/** A submodule's git folder lies in `.git/modules/…` of the repository that holds it. */
function superprojectOf(root: string, commonDir: string, files: RepositoryFiles): string | null {
  if (!/[\\/]modules[\\/]/.test(commonDir)) return null;
  const above = parse(root).dir;
  const holder = above === root ? null : repositoryAround(above, files);
  if (holder === null) return null;
  const modules = join(commonDirOf(holder.gitDir, files), 'modules');
  return files.realPath(commonDir).startsWith(files.realPath(modules)) ? holder.root : null;
}

function remotesIn(commonDir: string, files: RepositoryFiles): Remote[] {
  const remotes = remotesOf(files.readText(join(commonDir, 'config'), CONFIG_BYTES_MAX) ?? '');
  return remotes.map(({ name, url }) => ({ name: redactText(name), url: redactText(url) }));
}
