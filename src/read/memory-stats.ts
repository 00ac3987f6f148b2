// Counts what is remembered. It reads every session's row and one row of counts for each workdir.
import { isoTime, type Usage } from '../../log/index.ts';
import {
  type ItemCounts,
  keyParts,
  listProjects,
  memoryKeys,
  NO_DOCUMENTS,
  resolveProjects,
  type SessionRow,
  sessionKeys,
  type WorkdirCounts,
} from '../../projections/index.ts';
import type { ProjectStats, Stats } from '../api/stats.ts';
import type { Home } from '../home/home.ts';

export async function statsOf({ log, views }: Home): Promise<Stats> {
  const sessions = (await views.turns.range<SessionRow>(sessionKeys.sessions())).map(([, row]) => row);
  const documents = (await views.memory.range<WorkdirCounts>(memoryKeys.workdirs())).map(
    ([rowKey, counts]) => ({ workdir: keyParts(rowKey)[1]!, counts }),
  );
  const times = sessions.flatMap(({ startedAt, endedAt }) => [startedAt ?? [], endedAt ?? []].flat());
  return {
    events: log.head().position,
    sessions: sessions.length,
    turns: sessions.reduce((sum, { turns }) => sum + turns, 0),
    counts: total(
      { prompts: 0, commands: 0, toolUses: 0, failed: 0, replies: 0 } satisfies ItemCounts,
      sessions.map(({ counts }) => counts),
    ),
    usage: total(
      { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 } satisfies Usage,
      sessions.map(({ usage }) => usage),
    ),
    documents: total(
      NO_DOCUMENTS,
      documents.map(({ counts }) => counts),
    ),
    from: isoTime(times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other))),
    to: isoTime(times.length === 0 ? null : times.reduce((one, other) => Math.max(one, other))),
    projects: await projectStats(sessions, documents, views),
  };
}

/** By name. */
async function projectStats(
  sessions: readonly SessionRow[],
  documents: readonly { readonly workdir: string; readonly counts: WorkdirCounts }[],
  views: Home['views'],
): Promise<ProjectStats[]> {
  const known = (await listProjects(views.projects)).flatMap((project) => project.workdirs);
  const workdirs = [
    ...new Set([
      ...known,
      ...sessions.map(({ workdir }) => workdir),
      ...documents.map(({ workdir }) => workdir),
    ]),
  ];
  const resolved = await resolveProjects(workdirs, views.projects);
  const projects = new Map<string, Writable<ProjectStats> & { last: number | null }>();
  const ofWorkdir = new Map(
    workdirs.map((workdir, index) => {
      const { key, name, parents } = resolved[index]!;
      const project = projects.get(key) ?? {
        ...{
          key,
          name,
          workdirs: [],
          parents,
          sessions: 0,
          documents: NO_DOCUMENTS,
          lastAt: null,
          last: null,
        },
      };
      projects.set(key, project);
      project.workdirs = [...project.workdirs, workdir];
      return [workdir, project];
    }),
  );
  for (const { workdir, startedAt, endedAt } of sessions) {
    const project = ofWorkdir.get(workdir)!;
    const at = endedAt ?? startedAt;
    project.sessions += 1;
    if (at !== null) project.last = Math.max(project.last ?? at, at);
  }
  for (const { workdir, counts } of documents) {
    const project = ofWorkdir.get(workdir)!;
    project.documents = total(project.documents, [counts]);
  }
  return [...projects.values()]
    .map(({ last, ...project }) => ({ ...project, lastAt: isoTime(last) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** Adds the fields that `first` has. */
function total<T extends Readonly<Record<keyof T, number>>>(first: T, others: readonly T[]): T {
  const sum: Record<string, number> = { ...first };
  for (const other of others) for (const field in first) sum[field] = sum[field]! + other[field];
  return sum as T;
}
