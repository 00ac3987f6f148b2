// Resolves what a person named to the events that are meant.
import { AnnalsError, type BodyOf, type LogEvent, pagesAfter } from '../../log/index.ts';
import {
  documentEvents,
  type ItemRow,
  isItemRow,
  listProjects,
  type SessionRow,
  sessionKeys,
  type TurnRow,
  workdirsAmong,
} from '../../projections/index.ts';
import type { ForgetSelection } from '../api.ts';
import type { Home } from '../home/home.ts';
import { recordedIn, refuseSharedName } from '../home/home-projects.ts';
import { namedSessionRow } from '../home/named-session.ts';
import { type ResolvedItem, resolveId } from '../read/resolve-id.ts';
import { parseTime } from '../search/index.ts';
import { traitsOf } from './event-traits.ts';
import { foldCase } from './fold-case.ts';
import { finderOf, PATTERN_BYTES_MIN } from './pattern-finder.ts';

export interface Selected {
  readonly by: 'ids' | 'session' | 'project' | 'query' | 'before';
  readonly events: Map<string, LogEvent>;
  /** Sessions that are forgotten completely, including anything reported of them later. */
  readonly sessions: readonly Pick<SessionRow, 'agent' | 'session'>[];
  /** Names to be stored besides those of the events. */
  readonly names?: readonly string[];
  /** The text of a `query` selection, as JSON has it. */
  readonly query: string | null;
}

/** @throws AnnalsError USAGE, NOT_FOUND, AMBIGUOUS_ID, FORGOTTEN */
export async function selectEvents(selection: ForgetSelection, home: Home): Promise<Selected> {
  const { ids = [], session, project, query, before } = selection;
  const given = [ids.length > 0, session, project, query, before].filter(
    (one) => one !== undefined && one !== false,
  );
  if (given.length !== 1)
    throw new AnnalsError('USAGE', 'Name what to forget in exactly one way: ids, or one of the options.', {
      hint: 'For example: annals forget p-4t0w8m2k9qza, or annals forget --query "the words".',
    });
  if (session !== undefined) return selectSession(session, home);
  if (project !== undefined) return selectProject(project, home);
  if (query !== undefined) return selectQuery(query, home);
  if (before !== undefined) return selectBefore(parseTime(before, home.now(), 'before'), home);
  return selectIds(ids, home);
}

/**
 * All events of items that stay.
 * @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, FORGOTTEN
 */
export async function eventsKept(ids: readonly string[], home: Home): Promise<ReadonlyMap<string, LogEvent>> {
  return (await selectIds(ids, home)).events;
}

/**
 * The same selection in the log as it is now: without what was forgotten since, and with what was recorded of its sessions,
 * or with the words of its query. Ids are not resolved again.
 */
export async function selectedAgain(selected: Selected, home: Home): Promise<Selected> {
  const events = new Map<string, LogEvent>();
  await addIds([...selected.events.keys()], events, home);
  for (const session of selected.sessions) await addSession(session, events, home);
  if (selected.query !== null) await addHolding(selected.query, events, home);
  return { ...selected, events };
}

/** The selection without these events. A session that one of them is in is not forgotten as a whole. */
export function withoutKept(selected: Selected, kept: ReadonlyMap<string, LogEvent>): Selected {
  const isKept = ({ agent, session }: Pick<SessionRow, 'agent' | 'session'>) =>
    [...kept.values()].some((event) => event.session === session && event.agent === agent);
  return {
    ...selected,
    events: new Map([...selected.events].filter(([id]) => !kept.has(id))),
    sessions: selected.sessions.filter((session) => !isKept(session)),
  };
}

async function selectIds(ids: readonly string[], home: Home): Promise<Selected> {
  const { log, views } = home;
  const events = new Map<string, LogEvent>();
  const sessions: Selected['sessions'][number][] = [];
  for (const id of ids) {
    const found = await resolveId(id, { log, turns: views.turns, memory: views.memory });
    if (found.kind === 'session') {
      sessions.push(found.session);
      await addSession(found.session, events, home);
    } else await addIds(await eventIdsOf(found, home), events, home);
  }
  return { by: 'ids', events, sessions, query: null };
}

/** Selecting one event selects its item, so the item's other reports are forgotten with it. */
async function eventIdsOf(
  found: Exclude<ResolvedItem, { kind: 'session' }>,
  home: Home,
): Promise<readonly string[]> {
  if (found.kind === 'document') return documentEvents(found.document, home.views.memory);
  if (found.kind === 'turn') return found.items.flatMap((item) => item.reports.map(({ event }) => event));
  const { event } = found;
  if (event.session === null) return [event.id];
  const rows = await home.views.turns.range<TurnRow | ItemRow>(sessionKeys.turns(event.agent, event.session));
  const items = rows.flatMap(([, row]) => (isItemRow(row) ? [row.reports.map((event) => event.event)] : []));
  return items.find((events) => events.includes(event.id)) ?? [event.id];
}

async function selectSession(id: string, home: Home): Promise<Selected> {
  const session = await namedSessionRow(id, home.views.turns);
  const events = new Map<string, LogEvent>();
  await addSession(session, events, home);
  return { by: 'session', events, sessions: [session], query: null };
}

/** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID */
export async function projectWorkdirs(project: string, { views }: Home): Promise<ReadonlySet<string>> {
  const projects = await listProjects(views.projects);
  refuseSharedName(project, projects);
  const workdirs = new Set(workdirsAmong(project, projects));
  if (workdirs.size > 0) return workdirs;
  throw new AnnalsError('NOT_FOUND', `No project is called “${project}”.`, {
    hint: '`annals projects` lists them.',
  });
}

async function selectProject(project: string, home: Home): Promise<Selected> {
  const workdirs = await projectWorkdirs(project, home);
  const events = new Map<string, LogEvent>();
  const { sessions, memories, describes } = await recordedIn(workdirs, home.views.turns);
  for (const session of sessions) await addSession(session, events, home);
  await addIds([...memories], events, home);
  const looks = finderOf(['"workdir.seen"', '"project.linked"']);
  for await (const event of home.log.scan((record) => looks.isIn(record)))
    if (describes(event)) events.set(event.id, event);
  return { by: 'project', events, sessions, query: null };
}

async function selectQuery(query: string, home: Home): Promise<Selected> {
  const stored = Buffer.from(JSON.stringify(query.trim()).slice(1, -1));
  if (stored.length < PATTERN_BYTES_MIN)
    throw new AnnalsError('USAGE', `“${query}” is too short: it would be found everywhere.`, {
      hint: `Give at least ${PATTERN_BYTES_MIN} characters, exactly as in the text.`,
    });
  const events = new Map<string, LogEvent>();
  await addHolding(stored.toString(), events, home);
  return { by: 'query', events, sessions: [], query: stored.toString() };
}

/** @param query as JSON has it */
async function addHolding(query: string, events: Map<string, LogEvent>, { log }: Home): Promise<void> {
  const wanted = foldCase(query);
  for await (const event of log.scan((record) => foldCase(record.toString('utf8')).includes(wanted)))
    if (traitsOf(event).isSearched && foldCase(JSON.stringify(event.body)).includes(wanted))
      events.set(event.id, event);
}

async function selectBefore(before: number, { log }: Home): Promise<Selected> {
  const events = new Map<string, LogEvent>();
  for await (const page of pagesAfter(0, (after) => log.page({ after })))
    for (const event of page.events) {
      if (event.type === 'unknown' || traitsOf(event).isState || isCostAlone(event)) continue;
      if ((event.occurredAt ?? event.recordedAt) < before) events.set(event.id, event);
    }
  return { by: 'before', events, sessions: [], query: null };
}

/** A request that was recorded again without what it was about. */
function isCostAlone({ type, body }: LogEvent): boolean {
  return type === 'observer.asked' && (body as BodyOf<'observer.asked'>).covers.length === 0;
}

/** All events of a session, including memories saved in it. */
async function addSession(
  { agent, session }: Pick<SessionRow, 'agent' | 'session'>,
  events: Map<string, LogEvent>,
  { log }: Home,
): Promise<void> {
  for (const reporter of [agent, 'annals'])
    for await (const page of pagesAfter(0, (after) => log.pageBySession({ agent: reporter, session, after })))
      for (const event of page.events) if (event.type !== 'unknown') events.set(event.id, event);
}

async function addIds(ids: readonly string[], events: Map<string, LogEvent>, { log }: Home): Promise<void> {
  for (const event of await log.getMany(ids))
    if (event !== undefined && event.type !== 'memory.forgotten') events.set(event.id, event);
}
