// Identifies the project of a workdir by the remote `origin` (else the only remote), else the common directory, else
// the root, else the folder. Linked work trees and sub-projects are projects of their own whose parent is the
// repository; a submodule is its own repository, with the one around it as parent.
//
//   key = repo:<remote> | git:<common directory> | dir:<path> | name:<name>   then [@<work tree root>] [#<sub-project>]
import type { BodyOf } from '../../log/index.ts';
import { nameOfPath, pathBelow, pathParts, withSlashes } from './project-paths.ts';

export type Seen = BodyOf<'workdir.seen'>;

/** A project before its display name is chosen. */
export interface Identity {
  readonly key: string;
  /** Names that follow from the key, shortest first; longer names are more specific. */
  readonly names: readonly string[];
  /** Names that a file in the repository claims: displayed when unique, never used to join projects. */
  readonly claims: readonly string[];
  /** Projects it is part of, nearest first. */
  readonly parents: readonly Identity[];
}

/** The identity of a folder, from its newest `workdir.seen` (null: none). */
export function identityOf(
  cwd: string,
  seen: Seen | null,
  superproject: (root: string) => Identity | null,
): Identity {
  if (seen === null || seen.root === null) return folderIdentity(cwd);
  const around = seen.superproject === null ? [] : parentOfSubmodule(seen.superproject, superproject);
  const repository = { ...repositoryIdentity(seen), parents: around };
  const tree = seen.worktree === true ? worktreeIdentity(repository, seen.root) : repository;
  return subprojectIdentity(tree, cwd, seen) ?? tree;
}

/** Its key, and those of what it is a part of in its repository. A submodule is no part of the repository around it. */
export function keysInRepository({ key, parents }: Identity): readonly string[] {
  const isPart = (whole: string) => key.startsWith(whole) && /[@#]/.test(key.charAt(whole.length));
  return [key, ...parents.map((parent) => parent.key).filter(isPart)];
}

/** The project for a name that a person or an agent gave, when no known project has that name. */
export function namedIdentity(name: string): Identity {
  const plain = name.trim();
  if (plain === '') return { key: 'dir:', names: [nameOfPath('')], claims: [], parents: [] };
  return { key: `name:${plain}`, names: [plain, `name:${plain}`], claims: [], parents: [] };
}

function folderIdentity(path: string): Identity {
  return { key: `dir:${withSlashes(path)}`, names: pathNames(path), claims: [], parents: [] };
}

function repositoryIdentity(seen: Seen): Identity {
  const claims = plainClaim(seen.proposal?.name ?? null);
  const remote = identifyingRemote(seen);
  if (remote !== null) {
    const parts = remote.split('/').filter((part) => part !== '');
    const names = parts.map((_, index) => parts.slice(-1 - index).join('/'));
    return { key: `repo:${normalizeCase(remote)}`, names, claims, parents: [] };
  }
  if (seen.commonDir === null) return { ...folderIdentity(seen.root!), claims };
  return {
    key: `git:${withSlashes(seen.commonDir)}`,
    // `/home/u/app/.git` and a bare `/srv/app.git` are both `app`.
    names: pathNames(seen.commonDir.replace(/[\\/]\.(?:git|bare)$/, '').replace(/\.git$/, '')),
    claims,
    parents: [],
  };
}

function identifyingRemote(seen: Seen): string | null {
  const origin = seen.remotes.find((remote) => remote.name === 'origin');
  return (origin ?? (seen.remotes.length === 1 ? seen.remotes[0] : undefined))?.url ?? null;
}

/** Lower-cases remotes of the large forges, which ignore case; elsewhere a path's case may matter. */
function normalizeCase(remote: string): string {
  const forge = /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|dev\.azure\.com)\//.test(remote);
  return forge ? remote.toLowerCase() : remote;
}

function worktreeIdentity(repository: Identity, root: string): Identity {
  const own = pathNames(root);
  return {
    key: `${repository.key}@${withSlashes(root)}`,
    names: [...own.slice(0, 3), withSlashes(root)].map((name) => `${repository.names[0]}/${name}`),
    claims: [],
    parents: [repository, ...repository.parents],
  };
}

/** The deepest proposed sub-project around the folder. Its name is a claim too, because the repository wrote it. */
function subprojectIdentity(parent: Identity, cwd: string, seen: Seen): Identity | null {
  const inside = (seen.proposal?.subprojects ?? [])
    .filter(({ path }) => path !== '' && pathBelow(`${seen.root}/${path}`, cwd) !== null)
    .sort((one, other) => other.path.length - one.path.length || (one.path < other.path ? -1 : 1))[0];
  if (inside === undefined) return null;
  return {
    key: `${parent.key}#${inside.path}`,
    names: parent.names.map((name) => `${name}#${inside.path}`),
    claims: plainClaim(inside.name ?? nameOfPath(inside.path)).map((name) => `${parent.names[0]}/${name}`),
    parents: [parent, ...parent.parents],
  };
}

/** The name that a repository claims, unless it looks like a path, a remote or a key. */
function plainClaim(name: string | null): string[] {
  return name === null || name.trim() === '' || /[\\/:@#]/.test(name) ? [] : [name.trim()];
}

/** The repository around a submodule, by its own `workdir.seen`, else by its folder. */
function parentOfSubmodule(root: string, superproject: (root: string) => Identity | null): Identity[] {
  const parent = superproject(root) ?? folderIdentity(root);
  return [parent, ...parent.parents];
}

/** `/home/u/app` → `app`, `u/app`, …, the full path. */
function pathNames(path: string): string[] {
  const parts = pathParts(path);
  const longer = parts.slice(1).map((_, index) => parts.slice(-2 - index).join('/'));
  return [...new Set([nameOfPath(path), ...longer, withSlashes(path)])].filter((name) => name !== '');
}
