// Which project a place belongs to, and which places a project has: read from the `projects` view, remembered
// while the view stands.
import {
  keyParts,
  listProjects,
  memoryKeys,
  type Partition,
  type PlaceRow,
  placesOf,
  resolveProject,
  rowKeys,
  type SessionRow,
  type ViewReader,
} from '../../projections/index.ts';
import type { Status } from '../api.ts';

export interface ProjectViews {
  readonly projects: ViewReader;
  readonly memory: ViewReader;
  readonly turns: ViewReader;
}

export interface ProjectPartition extends Partition {
  readonly name: string;
}

/** Every project that has documents, each with its places. */
export async function projectPartitions({
  projects,
  memory,
}: Pick<ProjectViews, 'projects' | 'memory'>): Promise<ProjectPartition[]> {
  const partitions = new Map<string, { id: string; name: string; places: string[] }>();
  for (const [rowKey] of await memory.range(memoryKeys.places())) {
    const place = keyParts(rowKey)[1]!;
    const { key, name } = await resolveProject(place, projects);
    const partition = partitions.get(key) ?? { id: key, name, places: [] };
    partitions.set(key, partition);
    partition.places.push(place);
  }
  return [...partitions.values()];
}

/** The partitions that a `--project` means: by name, key, path or alias, with those that answer to it. */
export async function partitionsOf(
  query: string,
  partitions: readonly ProjectPartition[],
  projects: ViewReader,
): Promise<ProjectPartition[]> {
  const places = new Set(await placesOf(query, projects));
  return partitions.filter(
    (partition) =>
      partition.name === query ||
      partition.id === query ||
      partition.places.some((place) => places.has(place)),
  );
}

/** Sessions and observations (saved memories among them) of each project, most sessions first. */
export async function projectCounts(views: ProjectViews): Promise<Status['projects']> {
  const counts = new Map<string, { name: string; sessions: number; observations: number }>();
  const count = async (place: string) => {
    const { key, name } = await resolveProject(place, views.projects);
    const project = counts.get(key) ?? { name, sessions: 0, observations: 0 };
    counts.set(key, project);
    return project;
  };
  for (const { places } of await listProjects(views.projects))
    if (places[0] !== undefined) await count(places[0]);
  for (const [, session] of await views.turns.range<SessionRow>(rowKeys.sessions()))
    (await count(session.place)).sessions++;
  for (const [rowKey, row] of await views.memory.range<PlaceRow>(memoryKeys.places()))
    (await count(keyParts(rowKey)[1]!)).observations += row.observation + row.memory;
  return [...counts.values()].sort((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1));
}
