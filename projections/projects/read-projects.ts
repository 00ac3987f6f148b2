// What readers ask the `projects` view.

import type { ViewReader } from '../engine/contract/projector.ts';
import { below, key } from '../engine/store/row-keys.ts';
import { NAMED_PROJECT } from '../ids/named-projects.ts';
import type { ProjectRow, WorkdirRow } from './derive-projects.ts';
import { identityOf, namedIdentity } from './project-identity.ts';
import { pathBelow, withSlashes } from './project-paths.ts';

/** A project as readers see it. */
export interface ResolvedProject {
  readonly key: string;
  /** Unique among all projects. */
  readonly name: string;
  /** Keys of the projects it also answers to, nearest first. */
  readonly parents: readonly string[];
}

/** The project of a place: a folder as the agent named it, or `project:<name>`. A place no event named is itself. */
export async function resolveProject(workdir: string, reader: ViewReader): Promise<ResolvedProject> {
  return (await resolveProjects([workdir], reader))[0]!;
}

/** The same of several places, in two readings for all of them. */
export async function resolveProjects(
  workdirs: readonly string[],
  reader: ViewReader,
): Promise<ResolvedProject[]> {
  const rows = await reader.getMany<WorkdirRow>(workdirs.map((workdir) => key('workdir', workdir)));
  const keys = [...new Set(rows.flatMap((row) => row?.key ?? []))];
  const projects = await reader.getMany<ProjectRow>(keys.map((projectKey) => key('project', projectKey)));
  const known = new Map(keys.map((projectKey, index) => [projectKey, projects[index]]));
  return workdirs.map((workdir, index) => {
    const project = known.get(rows[index]?.key ?? '');
    if (project !== undefined) return { key: project.key, name: project.name, parents: project.parents };
    const own = workdir.startsWith(NAMED_PROJECT)
      ? namedIdentity(workdir.slice(NAMED_PROJECT.length))
      : identityOf(workdir, null, () => null);
    return { key: own.key, name: own.names[0]!, parents: [] };
  });
}

/**
 * All places of the projects that a query means, sorted: their own and those of projects that answer to them.
 * A query is a key, a name, a folder or another name a project has by what it is; only when nothing has it so
 * is it held against names that repositories ask for. Empty when nothing fits.
 */
export async function workdirsOf(projectQuery: string, reader: ViewReader): Promise<string[]> {
  const projects = await listProjects(reader);
  const meant = new Set(meantBy(projectQuery.trim(), projects));
  const answering = projects.filter(
    (project) => meant.has(project.key) || project.parents.some((parent) => meant.has(parent)),
  );
  return [...new Set(answering.flatMap((project) => project.workdirs))].sort();
}

/** Every project, by key. */
export async function listProjects(reader: ViewReader): Promise<ProjectRow[]> {
  return (await reader.range<ProjectRow>(below('project'))).map(([, row]) => row);
}

/** Keys of the projects that a query means: the first rule that finds any decides. */
function meantBy(query: string, projects: readonly ProjectRow[]): string[] {
  const folded = query.toLowerCase();
  const same = (name: string): boolean => name.toLowerCase() === folded;
  const isClaim = (project: ProjectRow): boolean => project.claims.some((claim) => claim === project.name);
  const rules: ((project: ProjectRow) => boolean)[] = [
    (project) => project.key === query,
    (project) => same(project.name) && !isClaim(project),
    (project) =>
      project.workdirs.some((workdir) => workdir === query || withSlashes(workdir) === withSlashes(query)),
    (project) => project.aliases.some(same),
    (project) => same(project.name),
    (project) => project.claims.some(same),
    // A folder nobody worked in itself stands for what lies below it.
    (project) =>
      /^(?:\/|[A-Za-z]:[\\/])./.test(query) &&
      project.workdirs.some((workdir) => pathBelow(query, workdir) !== null),
  ];
  for (const rule of rules) {
    const found = projects.filter(rule);
    if (found.length > 0) return found.map((project) => project.key);
  }
  return [];
}
