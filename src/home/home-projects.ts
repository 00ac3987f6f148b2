// Finds the project of a workdir and the workdirs of a project, from the views.
import { AnnalsError, type LogEvent } from '../../log/index.ts';
import {
  type ImportedRow,
  keyParts,
  listProjects,
  memoryKeys,
  type ProjectIndex,
  type ProjectRow,
  projectsSharingName,
  resolveAmong,
  resolveProjects,
  type SavedRow,
  type SessionRow,
  sessionKeys,
  type ViewReader,
  type WorkdirCounts,
  workdirsAmong,
} from '../../projections/index.ts';
import type { Status } from '../api.ts';

export interface ProjectViews {
  readonly projects: ViewReader;
  readonly memory: ViewReader;
  readonly turns: ViewReader;
}

export interface NamedProjectIndex extends ProjectIndex {
  readonly name: string;
}

export interface KnownProjects {
  /** Also those without documents. */
  readonly rows: readonly ProjectRow[];
  readonly indexes: readonly NamedProjectIndex[];
}

/** Every project. Two reads at once: a hook waits for this. */
export async function knownProjects({
  projects,
  memory,
}: Pick<ProjectViews, 'projects' | 'memory'>): Promise<KnownProjects> {
  const [counted, rows] = await Promise.all([memory.range(memoryKeys.workdirs()), listProjects(projects)]);
  const workdirs = counted.map(([rowKey]) => workdirOf(rowKey));
  const resolved = resolveAmong(workdirs, rows);
  const projectIndexes = new Map<string, { id: string; name: string; workdirs: string[] }>();
  for (const [index, workdir] of workdirs.entries()) {
    const { key, name } = resolved[index]!;
    const projectIndex = projectIndexes.get(key) ?? { id: key, name, workdirs: [] };
    projectIndexes.set(key, projectIndex);
    projectIndex.workdirs.push(workdir);
  }
  return { rows, indexes: [...projectIndexes.values()] };
}

/** What was recorded in these workdirs. */
export interface RecordedIn {
  readonly sessions: readonly SessionRow[];
  /** Ids of events: memories that were saved or imported. */
  readonly memories: ReadonlySet<string>;
  /** Whether an event says what a workdir is. */
  describes(event: LogEvent): boolean;
}

export async function recordedIn(workdirs: ReadonlySet<string>, turns: ViewReader): Promise<RecordedIn> {
  const rows = async <Row extends { readonly workdir: string }>(below: string) =>
    (await turns.range<Row>(below)).flatMap(([, row]) => (workdirs.has(row.workdir) ? [row] : []));
  const memories = [
    ...(await rows<SavedRow>(sessionKeys.allSaved())),
    ...(await rows<ImportedRow>(sessionKeys.allImported())),
  ];
  return {
    sessions: await rows<SessionRow>(sessionKeys.sessions()),
    memories: new Set(memories.map(({ event }) => event)),
    describes: ({ type, body }) =>
      (type === 'workdir.seen' || type === 'project.linked') && workdirs.has(body.cwd),
  };
}

/** Every project that has documents, each with its workdirs. */
export async function listProjectIndexes(
  views: Pick<ProjectViews, 'projects' | 'memory'>,
): Promise<readonly NamedProjectIndex[]> {
  return (await knownProjects(views)).indexes;
}

/** @throws AnnalsError AMBIGUOUS_ID: several projects have this name in common */
export function refuseSharedName(query: string, rows: readonly ProjectRow[]): void {
  const names = projectsSharingName(query, rows);
  if (names.length === 0) return;
  const which = `“${query}” is the name of ${names.length} projects: ${names.join(', ')}.`;
  throw new AnnalsError('AMBIGUOUS_ID', which, { hint: 'Give the whole name of one.' });
}

/** The project indexes that `--project` names: by name, key, path or alias, with the projects below them. @throws AnnalsError AMBIGUOUS_ID */
export function projectIndexesOf(query: string, { rows, indexes }: KnownProjects): NamedProjectIndex[] {
  refuseSharedName(query, rows);
  const workdirs = new Set(workdirsAmong(query, rows));
  return indexes.filter(
    (projectIndex) =>
      projectIndex.name === query ||
      projectIndex.id === query ||
      projectIndex.workdirs.some((workdir) => workdirs.has(workdir)),
  );
}

/** Number of sessions, observations and saved memories of each project, most sessions first. */
export async function projectCounts(views: ProjectViews): Promise<Status['projects']> {
  const known = (await listProjects(views.projects)).flatMap(({ workdirs }) => workdirs.slice(0, 1));
  const sessions = await views.turns.range<SessionRow>(sessionKeys.sessions());
  const observed = await views.memory.range<WorkdirCounts>(memoryKeys.workdirs());
  const workdirs = new Set([
    ...known,
    ...sessions.map(([, { workdir }]) => workdir),
    ...observed.map(([rowKey]) => workdirOf(rowKey)),
  ]);
  const resolved = await resolveProjects([...workdirs], views.projects);
  const keys = new Map([...workdirs].map((workdir, index) => [workdir, resolved[index]!.key]));
  const counts = new Map<
    string,
    { name: string; sessions: number; observations: number; memories: number }
  >();
  for (const { key, name } of resolved)
    if (!counts.has(key)) counts.set(key, { name, sessions: 0, observations: 0, memories: 0 });
  const countOf = (workdir: string) => counts.get(keys.get(workdir)!)!;
  for (const [, { workdir }] of sessions) countOf(workdir).sessions++;
  for (const [rowKey, { observation, memory }] of observed) {
    const count = countOf(workdirOf(rowKey));
    count.observations += observation;
    count.memories += memory;
  }
  return [...counts.values()].sort((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1));
}

function workdirOf(rowKey: string): string {
  return keyParts(rowKey)[1]!;
}
