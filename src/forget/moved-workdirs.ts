// Decides whether the projects view must be rebuilt after forgetting. The view knows every workdir that an event named,
// but not how many did, so a rebuild is needed only if a workdir may have lost its last event. Usually it has not.
import type { LogEvent } from '../../log/index.ts';
import { key, type SavedRow, type SessionRow, sessionKeys } from '../../projections/index.ts';
import type { Home } from '../home/home.ts';

export async function movesWorkdirs(
  forgotten: readonly LogEvent[],
  { turns, projects }: Pick<Home['views'], 'turns' | 'projects'>,
): Promise<boolean> {
  if (forgotten.some(({ type }) => type === 'workdir.seen' || type === 'project.linked')) return true;
  const named = new Set(forgotten.flatMap(workdirOf));
  if (named.size === 0) return false;
  const ids = new Set(forgotten.map(({ id }) => id));
  for (const workdir of named)
    if ((await projects.get(key('seen', workdir))) !== undefined) named.delete(workdir);
  for (const [, { reports }] of await turns.range<SessionRow>(sessionKeys.sessions()))
    for (const { type, cwd, event } of reports)
      if (type === 'started' && cwd !== undefined && !ids.has(event)) named.delete(cwd);
  for (const [, { workdir, event }] of await turns.range<SavedRow>('saved/'))
    if (!ids.has(event)) named.delete(workdir);
  return named.size > 0;
}

/** The workdir that the projects view takes from an event. */
function workdirOf(event: LogEvent): readonly string[] {
  if (event.type === 'session.started') return event.body.cwd === null ? [] : [event.body.cwd];
  if (event.type !== 'memory.saved') return [];
  const { project, cwd } = event.body;
  if (project !== null) return [`project:${project}`];
  return cwd === null ? [] : [cwd];
}
