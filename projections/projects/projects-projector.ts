// The `projects` view: which project a workdir belongs to. It keeps what each event says about a workdir, and derives from
// the newest of them the rows that readers use.
//
//   event/<event id> EventRow                      what is kept of an event, to remove it when the event is forgotten
//   seen/<cwd>/<event id>  link/<cwd>/<event id>   from `workdir.seen` and `project.linked`
//   known/<workdir> {workdir, events}              how many events name it
//   workdir/<workdir> WorkdirRow  project/<key> ProjectRow   derived from all of these
import type { EventData } from '../../log/index.ts';
import { defineProjector, type LogProjector, type ViewWriter } from '../engine/contract/projector.ts';
import { below, key } from '../engine/store/row-keys.ts';
import { deriveRows } from './derive-projects.ts';
import { isOlder, namedWorkdir } from './named-workdir.ts';
import type { Seen } from './project-identity.ts';

export const projectsProjector: LogProjector = defineProjector({
  name: 'projects',
  version: 5,
  changes: 'none',
  follows: 'log',
  fold: async (events: readonly EventData[], view: ViewWriter) => {
    let changed = false;
    for (const event of events) changed = (await keepEvent(event, view)) || changed;
    if (changed) await rewriteRows(view);
  },
});

interface EventRow {
  readonly workdir: string;
  /** Its own row; null for an event that only names the workdir. */
  readonly row: string | null;
}

interface KnownRow {
  readonly workdir: string;
  readonly events: number;
}

export interface SeenRow {
  readonly at: number | null;
  readonly id: string;
  readonly body: Seen;
}

interface LinkRow {
  readonly at: number | null;
  readonly id: string;
  readonly cwd: string;
  readonly project: string;
}

/** Stores what an event says about a workdir. Returns whether that may change a project. */
async function keepEvent(event: EventData, view: ViewWriter): Promise<boolean> {
  const { id, occurredAt: at } = event;
  switch (event.type) {
    case 'workdir.seen':
      return keep(view, id, event.body.cwd, ['seen', { at, id, body: event.body } satisfies SeenRow]);
    case 'project.linked': {
      const { cwd, project } = event.body;
      return keep(view, id, cwd, ['link', { at, id, cwd, project } satisfies LinkRow]);
    }
    case 'memory.forgotten': {
      let changed = false;
      for (const { ids } of event.body.events)
        for (const forgotten of ids) changed = (await drop(view, forgotten)) || changed;
      return changed;
    }
    default:
      return keep(view, id, namedWorkdir(event), null);
  }
}

async function keep(
  view: ViewWriter,
  id: string,
  workdir: string | null,
  own: readonly [group: 'seen' | 'link', row: SeenRow | LinkRow] | null,
): Promise<boolean> {
  if (workdir === null || (await view.get(key('event', id))) !== undefined) return false;
  const row = own === null ? null : key(own[0], workdir, id);
  if (own !== null) view.put(row!, own[1]);
  view.put(key('event', id), { workdir, row } satisfies EventRow);
  return (await countEvents(view, workdir, 1)) || own !== null;
}

/** Removes what was kept of a forgotten event. */
async function drop(view: ViewWriter, id: string): Promise<boolean> {
  const event = await view.get<EventRow>(key('event', id));
  if (event === undefined) return false;
  view.del(key('event', id));
  if (event.row !== null) view.del(event.row);
  return (await countEvents(view, event.workdir, -1)) || event.row !== null;
}

/** Returns whether the workdir was not known before, or is not any more. */
async function countEvents(view: ViewWriter, workdir: string, by: 1 | -1): Promise<boolean> {
  const known = await view.get<KnownRow>(key('known', workdir));
  const events = (known?.events ?? 0) + by;
  if (events === 0) view.del(key('known', workdir));
  else view.put(key('known', workdir), { workdir, events } satisfies KnownRow);
  return known === undefined || events === 0;
}

/** Oldest first. For `sort`. */
export function byAge(
  [, one]: readonly [string, SeenRow | LinkRow],
  [, other]: readonly [string, SeenRow | LinkRow],
): number {
  return isOlder(one, other) ? -1 : 1;
}

async function rewriteRows(view: ViewWriter): Promise<void> {
  const known = await view.range<KnownRow>(below('known'));
  const seen = (await view.range<SeenRow>(below('seen'))).sort(byAge);
  const links = (await view.range<LinkRow>(below('link'))).sort(byAge);
  const rows = deriveRows({
    workdirs: known.map(([, { workdir }]) => workdir),
    seen: newestLast(seen.map(([, { body }]) => [body.cwd, body])),
    links: newestLast(links.map(([, { cwd, project }]) => [cwd, project])),
  });
  await rewrite(view, 'workdir', new Map(rows.workdirs.map((row) => [row.workdir, row])));
  await rewrite(view, 'project', new Map(rows.projects.map((row) => [row.key, row])));
}

/** Replaces the rows of a group, by name, writing only what differs. */
async function rewrite(view: ViewWriter, group: string, named: ReadonlyMap<string, unknown>): Promise<void> {
  const stored = new Map(await view.range(below(group)));
  const rows = new Map([...named].map(([name, row]) => [key(group, name), row]));
  for (const rowKey of stored.keys()) if (!rows.has(rowKey)) view.del(rowKey);
  for (const [rowKey, row] of rows)
    if (JSON.stringify(stored.get(rowKey)) !== JSON.stringify(row)) view.put(rowKey, row);
}

/** The newest entry of each name, in order of age. `entries`: oldest first. */
function newestLast<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const newest = new Map<string, T>();
  for (const [name, value] of entries) {
    newest.delete(name);
    newest.set(name, value);
  }
  return newest;
}
