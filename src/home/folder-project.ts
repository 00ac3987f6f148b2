// Finds the project of a folder on this machine, and the workdirs of that project in the views. If no session started
// in a folder, the folder itself is inspected, so that a subfolder of a known repository is found. Nothing is written.
import { AnnalsError, loadCatalog } from '../../log/index.ts';
import {
  identityOf,
  isLinked,
  pathBelow,
  type ResolvedProject,
  resolveAmong,
} from '../../projections/index.ts';
import { describeWorkdir } from '../capture/workdirs/index.ts';
import { givenPath } from '../platform/path-inside.ts';
import { repositoryFiles } from '../platform/repository-files-on-disk.ts';
import type { Home } from './home.ts';
import {
  type KnownProjects,
  knownProjects,
  type NamedProjectIndex,
  projectIndexesOf,
} from './home-projects.ts';

export interface ChosenProject {
  readonly name: string;
  /** What has records: the project and those below it. */
  readonly indexes: readonly NamedProjectIndex[];
  /** The project's own workdirs and those of projects below it; empty if nothing is recorded of it. */
  readonly workdirs: readonly string[];
}

/** @throws AnnalsError NOT_FOUND: no project has this name */
export async function projectByName(query: string, { views }: Pick<Home, 'views'>): Promise<ChosenProject> {
  const all = await knownProjects(views);
  const found = projectIndexesOf(query, all);
  if (found.length > 0)
    return {
      name: found.find(({ name }) => name.toLowerCase() === query.toLowerCase())?.name ?? found[0]!.name,
      indexes: found,
      workdirs: found.flatMap(({ workdirs }) => workdirs),
    };
  const known = all.indexes.map(({ name }) => name).sort();
  throw new AnnalsError('NOT_FOUND', `No project is called “${query}”.`, {
    hint:
      known.length === 0
        ? 'Nothing is recorded yet: try annals import ~/.claude/projects.'
        : `Known: ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}.`,
  });
}

/**
 * A new work tree or submodule without records of its own gets those of its repository. The key is of what has records,
 * and null if nothing has.
 */
export async function projectOfFolder(
  cwd: string,
  { views }: Pick<Home, 'views'>,
): Promise<ChosenProject & { readonly key: string | null }> {
  const known = await knownProjects(views);
  const folder = givenPath(cwd);
  const project = (await projectAt(folder, known, views)) ?? resolveAmong([folder], known.rows)[0]!;
  for (const one of [project.key, ...project.parents]) {
    const found = projectIndexesOf(one, known);
    if (found.length > 0)
      return {
        name: project.name,
        key: one,
        indexes: found,
        workdirs: found.flatMap(({ workdirs }) => workdirs),
      };
  }
  return { name: project.name, key: null, indexes: [], workdirs: [] };
}

/** The project of an absolute folder, also of one that no session started in; null if there is no such folder and none did. */
export async function projectAt(
  folder: string,
  { rows }: KnownProjects,
  { projects }: Pick<Home['views'], 'projects'>,
): Promise<ResolvedProject | null> {
  const resolved = (workdir: string) => resolveAmong([workdir], rows)[0]!;
  const isKnown = (workdir: string) => rows.some(({ workdirs }) => workdirs.includes(workdir));
  if (isKnown(folder)) return resolved(folder);
  const look = describeWorkdir(folder, repositoryFiles);
  if (look === null) return null;
  const seen = (await loadCatalog())['workdir.seen'].body.parse(look);
  const identity = identityOf(folder, seen, () => null);
  const around = nearestAround(folder, seen.root, rows);
  // A sub-project is not the project around it, unless a person linked that elsewhere.
  const isPart = around !== null && identityOf(around, seen, () => null).key === identity.key;
  if (around !== null && (isPart || (await isLinked(around, projects)))) return resolved(around);
  const row = rows.find((one) => one.key === identity.key);
  return {
    key: identity.key,
    name: row?.name ?? identity.names[0]!,
    parents: identity.parents.map((parent) => parent.key),
  };
}

/** The nearest known folder above a folder in its work tree. @param root of that work tree */
function nearestAround(folder: string, root: string | null, rows: KnownProjects['rows']): string | null {
  if (root === null) return null;
  const around = rows
    .flatMap(({ workdirs }) => workdirs)
    .filter((one) => pathBelow(root, one) !== null && pathBelow(one, folder) !== null);
  return around.sort((one, other) => other.length - one.length)[0] ?? null;
}
