// The projects view knows every place that any event named, but not how many did. So it is only made again when a
// place may have lost the last event that named it; mostly another session began there too.
import type { LogEvent } from '../../log/index.ts';
import { key, type SavedRow, type SessionRow, sessionKeys } from '../../projections/index.ts';
import type { Home } from '../home/home.ts';

export async function movesWorkdirs(
  gone: readonly LogEvent[],
  { turns, projects }: Pick<Home['views'], 'turns' | 'projects'>,
): Promise<boolean> {
  if (gone.some(({ type }) => type === 'workdir.seen' || type === 'project.linked')) return true;
  const named = new Set(gone.flatMap(placeOf));
  if (named.size === 0) return false;
  const ids = new Set(gone.map(({ id }) => id));
  for (const workdir of named)
    if ((await projects.get(key('seen', workdir))) !== undefined) named.delete(workdir);
  for (const [, { reports }] of await turns.range<SessionRow>(sessionKeys.sessions()))
    for (const { type, cwd, event } of reports)
      if (type === 'started' && cwd !== undefined && !ids.has(event)) named.delete(cwd);
  for (const [, { workdir, event }] of await turns.range<SavedRow>('saved/'))
    if (!ids.has(event)) named.delete(workdir);
  return named.size > 0;
}

/** What the projects view takes for a place that it knows. */
function placeOf(event: LogEvent): readonly string[] {
  if (event.type === 'session.started') return event.body.cwd === null ? [] : [event.body.cwd];
  if (event.type !== 'memory.saved') return [];
  const { project, cwd } = event.body;
  if (project !== null) return [`project:${project}`];
  return cwd === null ? [] : [cwd];
}
