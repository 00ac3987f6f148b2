// The `projects` view: which project a workdir belongs to. It keeps the newest `workdir.seen` and the newest link of
// every folder, and derives from all of them the rows that readers use.
//
//   seen/<cwd> {at, id, body}     link/<cwd> {at, id, project}   known/<workdir>   from events
//   workdir/<workdir> WorkdirRow  project/<key> ProjectRow                         derived from all of these
import type { EventData } from '../../log/index.ts';
import { defineProjector, type LogProjector, type ViewWriter } from '../engine/contract/projector.ts';
import { below, key } from '../engine/store/row-keys.ts';
import { NAMED_PROJECT } from '../ids/named-projects.ts';
import { deriveRows } from './derive-projects.ts';
import type { Seen } from './project-identity.ts';

export const projectsProjector: LogProjector = defineProjector({
  name: 'projects',
  version: 1,
  feed: 'none',
  follows: 'log',
  fold: async (events: readonly EventData[], view: ViewWriter) => {
    let changed = false;
    for (const event of events) changed = (await keepEvent(event, view)) || changed;
    if (changed) await rewriteRows(view);
  },
});

/** Stores what an event says about a workdir. Returns whether it was new. */
async function keepEvent(event: EventData, view: ViewWriter): Promise<boolean> {
  if (event.type === 'workdir.seen') {
    const { cwd } = event.body;
    const newer = await keepNewest(view, key('seen', cwd), { ...stamp(event), body: event.body });
    return (await keepWorkdir(view, cwd)) || newer;
  }
  if (event.type === 'project.linked') {
    const { cwd, project } = event.body;
    const newer = await keepNewest(view, key('link', cwd), { ...stamp(event), project });
    return (await keepWorkdir(view, cwd)) || newer;
  }
  if (event.type === 'session.started') return keepWorkdir(view, event.body.cwd);
  if (event.type === 'memory.saved') {
    const { project, cwd } = event.body;
    return keepWorkdir(view, project === null ? cwd : NAMED_PROJECT + project);
  }
  return false;
}

interface Stamp {
  readonly at: number | null;
  readonly id: string;
}

function stamp(event: EventData): Stamp {
  return { at: event.occurredAt, id: event.id };
}

async function keepNewest<R extends Stamp>(view: ViewWriter, rowKey: string, row: R): Promise<boolean> {
  const stored = await view.get<Stamp>(rowKey);
  if (stored !== undefined && !isNewer(row, stored)) return false;
  view.put(rowKey, row);
  return true;
}

function isNewer(one: Stamp, other: Stamp): boolean {
  const [at, otherAt] = [one.at ?? Number.NEGATIVE_INFINITY, other.at ?? Number.NEGATIVE_INFINITY];
  return at > otherAt || (at === otherAt && one.id > other.id);
}

function byAge([, one]: readonly [string, Stamp], [, other]: readonly [string, Stamp]): number {
  return isNewer(one, other) ? 1 : -1;
}

async function keepWorkdir(view: ViewWriter, workdir: string | null): Promise<boolean> {
  if (workdir === null || (await view.get(key('known', workdir))) !== undefined) return false;
  view.put(key('known', workdir), { workdir });
  return true;
}

async function rewriteRows(view: ViewWriter): Promise<void> {
  const known = await view.range<{ workdir: string }>(below('known'));
  const seen = await view.range<Stamp & { body: Seen }>(below('seen'));
  const links = await view.range<{ project: string }>(below('link'));
  const workdirOfKey = new Map(
    known.map(([rowKey, { workdir }]) => [rowKey.slice(below('known').length), workdir]),
  );
  const workdirIn = (rowKey: string, group: string): string =>
    workdirOfKey.get(rowKey.slice(below(group).length))!;
  const rows = deriveRows({
    workdirs: known.map(([, { workdir }]) => workdir),
    seen: new Map(seen.sort(byAge).map(([, { body }]) => [body.cwd, body])),
    links: new Map(links.map(([rowKey, { project }]) => [workdirIn(rowKey, 'link'), project])),
  });
  await rewrite(view, 'workdir', new Map(rows.workdirs.map((row) => [key('workdir', row.workdir), row])));
  await rewrite(view, 'project', new Map(rows.projects.map((row) => [key('project', row.key), row])));
}

/** Replaces the rows of a group, writing only what differs. */
async function rewrite(view: ViewWriter, group: string, rows: ReadonlyMap<string, unknown>): Promise<void> {
  const stored = new Map(await view.range(below(group)));
  for (const rowKey of stored.keys()) if (!rows.has(rowKey)) view.del(rowKey);
  for (const [rowKey, row] of rows)
    if (JSON.stringify(stored.get(rowKey)) !== JSON.stringify(row)) view.put(rowKey, row);
}
