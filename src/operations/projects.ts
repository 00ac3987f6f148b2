// Which project a place belongs to, and which places a project has, as the views say.
import {
  keyParts,
  listProjects,
  memoryKeys,
  type Partition,
  type PlaceRow,
  placesOf,
  resolveProjects,
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
  const places = (await memory.range(memoryKeys.places())).map(([rowKey]) => placeOf(rowKey));
  const resolved = await resolveProjects(places, projects);
  for (const [index, place] of places.entries()) {
    const { key, name } = resolved[index]!;
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
  const known = (await listProjects(views.projects)).flatMap(({ places }) => places.slice(0, 1));
  const sessions = await views.turns.range<SessionRow>(rowKeys.sessions());
  const observed = await views.memory.range<PlaceRow>(memoryKeys.places());
  const places = new Set([
    ...known,
    ...sessions.map(([, { place }]) => place),
    ...observed.map(([rowKey]) => placeOf(rowKey)),
  ]);
  const resolved = await resolveProjects([...places], views.projects);
  const keys = new Map([...places].map((place, index) => [place, resolved[index]!.key]));
  const counts = new Map<string, { name: string; sessions: number; observations: number }>();
  for (const { key, name } of resolved)
    if (!counts.has(key)) counts.set(key, { name, sessions: 0, observations: 0 });
  const countOf = (place: string) => counts.get(keys.get(place)!)!;
  for (const [, { place }] of sessions) countOf(place).sessions++;
  for (const [rowKey, row] of observed) countOf(placeOf(rowKey)).observations += row.observation + row.memory;
  return [...counts.values()].sort((a, b) => b.sessions - a.sessions || (a.name < b.name ? -1 : 1));
}

function placeOf(rowKey: string): string {
  return keyParts(rowKey)[1]!;
}
