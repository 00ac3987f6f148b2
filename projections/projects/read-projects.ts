// Reads the `projects` view.

import type { ViewReader } from '../engine/contract/projector.ts';
import { below, key } from '../engine/store/row-keys.ts';
import type { ProjectRow, WorkdirRow } from './derive-projects.ts';
import { unknownIdentity } from './place-workdirs.ts';
import { foldedKey, pathBelow, withSlashes } from './project-paths.ts';
import { byAge, type SeenRow } from './projects-projector.ts';

const FOLDER = /^(?:\/|[A-Za-z]:[\\/])./;

/** A project as readers see it. */
export interface ResolvedProject {
  readonly key: string;
  /** Unique among all projects. */
  readonly name: string;
  /** Keys of the projects it is part of, nearest first. */
  readonly parents: readonly string[];
}

/** The newest `workdir.seen` of a folder. */
export async function newestSeen(cwd: string, reader: ViewReader): Promise<SeenRow | undefined> {
  return (await reader.range<SeenRow>(below('seen', cwd))).sort(byAge).at(-1)?.[1];
}

/** The project of a workdir: a folder as the agent named it, or `project:<name>`. A workdir in no event is its own project. */
export async function resolveProject(workdir: string, reader: ViewReader): Promise<ResolvedProject> {
  return (await resolveProjects([workdir], reader))[0]!;
}

/** The projects of several workdirs, in two reads for all of them. */
export async function resolveProjects(
  workdirs: readonly string[],
  reader: ViewReader,
): Promise<ResolvedProject[]> {
  const rows = await reader.getMany<WorkdirRow>(workdirs.map((workdir) => key('workdir', workdir)));
  const keys = [...new Set(rows.flatMap((row) => row?.key ?? []))];
  const projects = await reader.getMany<ProjectRow>(keys.map((projectKey) => key('project', projectKey)));
  const known = new Map(keys.map((projectKey, index) => [projectKey, projects[index]]));
  return workdirs.map((workdir, index) => resolved(workdir, known.get(rows[index]?.key ?? '')));
}

/** Whether a workdir is where a person linked it, or a folder above it, to. */
export async function isLinked(workdir: string, reader: ViewReader): Promise<boolean> {
  return (await reader.get<WorkdirRow>(key('workdir', workdir)))?.by === 'link';
}

/** The same, given every project. */
export function resolveAmong(
  workdirs: readonly string[],
  projects: readonly ProjectRow[],
): ResolvedProject[] {
  const known = new Map(projects.flatMap((project) => project.workdirs.map((workdir) => [workdir, project])));
  return workdirs.map((workdir) => resolved(workdir, known.get(workdir)));
}

function resolved(workdir: string, project: ProjectRow | undefined): ResolvedProject {
  if (project !== undefined) return { key: project.key, name: project.name, parents: project.parents };
  const own = unknownIdentity(workdir);
  return { key: own.key, name: own.names[0]!, parents: [] };
}

/**
 * All workdirs of the projects that match a query, and of their child projects, sorted; empty when none matches.
 * A query is a key, a name, a folder or an alias. Claimed names match only when none of these do.
 */
export function workdirsAmong(projectQuery: string, projects: readonly ProjectRow[]): string[] {
  const matching = new Set(matchingKeys(projectQuery.trim(), projects));
  const projectTree = projects.filter(
    (project) => matching.has(project.key) || project.parents.some((parent) => matching.has(parent)),
  );
  return [...new Set(projectTree.flatMap((project) => project.workdirs))].sort();
}

/** The full names of the projects that have this name in common, sorted; empty when it names one project or is a folder. */
export function projectsSharingName(projectQuery: string, projects: readonly ProjectRow[]): string[] {
  const query = projectQuery.trim();
  const matching = new Set(FOLDER.test(query) ? [] : matchingKeys(query, projects));
  // A project and what is below it are one.
  const apart = projects.filter(
    ({ key, parents }) => matching.has(key) && !parents.some((parent) => matching.has(parent)),
  );
  return apart.length < 2 ? [] : apart.map(({ name }) => name).sort();
}

/** Every project, by key. */
export async function listProjects(reader: ViewReader): Promise<ProjectRow[]> {
  return (await reader.range<ProjectRow>(below('project'))).map(([, row]) => row);
}

/** Keys of the projects that match a query. The first rule that finds any decides. */
function matchingKeys(query: string, projects: readonly ProjectRow[]): string[] {
  const folded = query.toLowerCase();
  const same = (name: string): boolean => name.toLowerCase() === folded;
  const isClaim = (project: ProjectRow): boolean => project.claims.some((claim) => claim === project.name);
  const rules: ((project: ProjectRow) => boolean)[] = [
    (project) => project.key === foldedKey(query),
    (project) => same(project.name) && !isClaim(project),
    (project) =>
      project.workdirs.some((workdir) => workdir === query || withSlashes(workdir) === withSlashes(query)),
    (project) => project.aliases.some(same),
    (project) => same(project.name),
    (project) => project.claims.some(same),
    // A folder without work of its own matches all projects below it.
    (project) => FOLDER.test(query) && project.workdirs.some((workdir) => pathBelow(query, workdir) !== null),
  ];
  for (const rule of rules) {
    const found = projects.filter(rule);
    if (found.length > 0) return found.map((project) => project.key);
  }
  return [];
}
