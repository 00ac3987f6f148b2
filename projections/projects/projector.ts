// The `projects` view: which project a place belongs to. It keeps the newest look and the newest link of every
// folder, and from all of them the rows that others read.
//
//   seen/<cwd> {at, id, body}   link/<cwd> {at, id, project}   known/<place>     what the facts said
//   place/<place> PlaceRow      project/<key> ProjectRow                         what follows from all of it
import type { Fact } from '../../log/index.ts';
import { below, key } from '../keys.ts';
import { NAMED_PLACE } from '../named-place.ts';
import { defineProjector, type FirstProjector, type ViewWriter } from '../projector.ts';
import { deriveRows } from './derive.ts';
import type { Seen } from './identity.ts';

export const projectsProjector: FirstProjector = defineProjector({
  name: 'projects',
  version: 1,
  feed: 'none',
  follows: 'log',
  fold: async (facts: readonly Fact[], view: ViewWriter) => {
    let changed = false;
    for (const fact of facts) changed = (await keepFact(fact, view)) || changed;
    if (changed) await rewriteRows(view);
  },
});

/** Whether the fact said anything new about any place. */
async function keepFact(fact: Fact, view: ViewWriter): Promise<boolean> {
  if (fact.type === 'place.seen') {
    const { cwd } = fact.body;
    const newer = await keepNewest(view, key('seen', cwd), { ...stamp(fact), body: fact.body });
    return (await keepPlace(view, cwd)) || newer;
  }
  if (fact.type === 'project.linked') {
    const { cwd, project } = fact.body;
    const newer = await keepNewest(view, key('link', cwd), { ...stamp(fact), project });
    return (await keepPlace(view, cwd)) || newer;
  }
  if (fact.type === 'session.started') return keepPlace(view, fact.body.cwd);
  if (fact.type === 'memory.saved') {
    const { project, cwd } = fact.body;
    return keepPlace(view, project === null ? cwd : NAMED_PLACE + project);
  }
  return false;
}

interface Stamp {
  readonly at: number | null;
  readonly id: string;
}

function stamp(fact: Fact): Stamp {
  return { at: fact.occurredAt, id: fact.id };
}

async function keepNewest<R extends Stamp>(view: ViewWriter, rowKey: string, row: R): Promise<boolean> {
  const held = await view.get<Stamp>(rowKey);
  if (held !== undefined && !isNewer(row, held)) return false;
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

async function keepPlace(view: ViewWriter, place: string | null): Promise<boolean> {
  if (place === null || (await view.get(key('known', place))) !== undefined) return false;
  view.put(key('known', place), { place });
  return true;
}

async function rewriteRows(view: ViewWriter): Promise<void> {
  const known = await view.range<{ place: string }>(below('known'));
  const seen = await view.range<Stamp & { body: Seen }>(below('seen'));
  const links = await view.range<{ project: string }>(below('link'));
  const placeOfKey = new Map(
    known.map(([rowKey, { place }]) => [rowKey.slice(below('known').length), place]),
  );
  const placeOf = (rowKey: string, group: string): string =>
    placeOfKey.get(rowKey.slice(below(group).length))!;
  const rows = deriveRows({
    places: known.map(([, { place }]) => place),
    seen: new Map(seen.sort(byAge).map(([, { body }]) => [body.cwd, body])),
    links: new Map(links.map(([rowKey, { project }]) => [placeOf(rowKey, 'link'), project])),
  });
  await rewrite(view, 'place', new Map(rows.places.map((row) => [key('place', row.place), row])));
  await rewrite(view, 'project', new Map(rows.projects.map((row) => [key('project', row.key), row])));
}

/** Makes a group of rows exactly these, writing only what differs. */
async function rewrite(view: ViewWriter, group: string, rows: ReadonlyMap<string, unknown>): Promise<void> {
  const held = new Map(await view.range(below(group)));
  for (const rowKey of held.keys()) if (!rows.has(rowKey)) view.del(rowKey);
  for (const [rowKey, row] of rows)
    if (JSON.stringify(held.get(rowKey)) !== JSON.stringify(row)) view.put(rowKey, row);
}
