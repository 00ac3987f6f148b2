// Lists sessions, turns and what is derived from them, newest first. A page reads its own rows and little more, however
// much is remembered.
import { AnnalsError, parseJson } from '../../log/index.ts';
import {
  type ContextRow,
  contextKeys,
  keyParts,
  mergedRows,
  type SessionRow,
  sessionKeys,
  type ViewReader,
  workdirsAmong,
} from '../../projections/index.ts';
import { LIST_KINDS, type ListAnswer, type ListKind, type ListOptions } from '../api/list.ts';
import { projectByName } from '../home/folder-project.ts';
import { groupsBelow } from '../home/groups-below.ts';
import type { Home } from '../home/home.ts';
import { knownProjects, projectIndexesOf } from '../home/home-projects.ts';
import { namedSessionRow, sessionsNamed } from '../home/named-session.ts';
import { LISTED } from './listed-items.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 1_000;

/** One entry of a list: where its row is, and its place in the order. */
interface Entry {
  readonly order: string;
  readonly key: string;
}

/** What a list is restricted to. */
interface Scope {
  /** null: all. */
  readonly workdirs: readonly string[] | null;
  readonly session: SessionRow | null;
  /** Set if others have a session with the same id. */
  readonly agent: string | null;
}

/** @throws AnnalsError USAGE (an unknown kind, a wrong cursor), NOT_FOUND, AMBIGUOUS_ID */
export async function listItems<K extends ListKind>(
  kind: K,
  options: ListOptions,
  home: Home,
): Promise<ListAnswer<K>> {
  if (!LIST_KINDS.includes(kind))
    throw new AnnalsError('USAGE', `There is no list of “${kind}”.`, {
      hint: `One of: ${LIST_KINDS.join(', ')}.`,
    });
  const { views } = home;
  const limit = Math.min(Math.max(1, Math.floor(options.limit ?? LIMIT_DEFAULT)), LIMIT_MAX);
  const after = options.after === undefined ? null : orderIn(options.after, kind);
  const scope = await scopeOf(options, home);
  const entries: Entry[] = [];
  for await (const entry of entriesOf(kind, scope, after, views)) {
    entries.push(entry);
    if (entries.length > limit) break;
  }
  const page = entries.slice(0, limit);
  const keys = page.map(({ key }) => key);
  return {
    items: await LISTED[kind](keys, views),
    next: entries.length > limit ? cursorOf(kind, page.at(-1)!.order) : null,
  };
}

async function scopeOf({ project, session, agent }: ListOptions, home: Home): Promise<Scope> {
  if (agent !== undefined && session === undefined)
    throw new AnnalsError('USAGE', 'A list of one agent is a list of one session of it.', {
      hint: 'Name the session too.',
    });
  const workdirs = project === undefined ? null : await projectWorkdirs(project, home);
  if (session === undefined) return { workdirs, session: null, agent: null };
  const { turns } = home.views;
  const row = await namedSessionRow(session, turns, agent);
  const isShared = agent !== undefined && (await sessionsNamed(row.session, turns, 2)).length > 1;
  return { workdirs, session: row, agent: isShared ? agent : null };
}

/** Also workdirs without documents. @throws AnnalsError NOT_FOUND */
async function projectWorkdirs(project: string, { views }: Home): Promise<readonly string[]> {
  const known = await knownProjects(views);
  const workdirs = new Set([
    ...workdirsAmong(project, known.rows),
    ...projectIndexesOf(project, known).flatMap((index) => index.workdirs),
  ]);
  return workdirs.size > 0 ? [...workdirs] : (await projectByName(project, { views })).workdirs;
}

function entriesOf(
  kind: ListKind,
  scope: Scope,
  after: string | null,
  { turns, context }: Home['views'],
): AsyncIterable<Entry> {
  const { session, workdirs } = scope;
  if (session !== null && workdirs !== null && !workdirs.includes(session.workdir)) return nothing();
  if (kind === 'session')
    return session === null
      ? sessionEntries(turns, workdirs, after)
      : one({ order: '', key: sessionKeys.session(session.agent, session.session) });
  if (kind === 'turn') return turnEntries(turns, scope, after);
  return contextEntries(context, kind === 'memory' ? 'saved' : kind, scope, after);
}

async function* sessionEntries(
  turns: ViewReader,
  workdirs: Scope['workdirs'],
  after: string | null,
): AsyncGenerator<Entry> {
  const prefixes =
    workdirs?.map(sessionKeys.recentSessions) ?? (await groupsBelow(turns, sessionKeys.allRecentSessions()));
  for await (const { order } of mergedRows(turns, prefixes, after)) {
    const [, agent, session] = keyParts(order) as [string, string, string];
    yield { order, key: sessionKeys.session(agent, session) };
  }
}

async function* turnEntries(
  turns: ViewReader,
  { workdirs, session: of }: Scope,
  after: string | null,
): AsyncGenerator<Entry> {
  if (of !== null) {
    const prefix = sessionKeys.turnsByTime(of.agent, of.session);
    for await (const { order } of mergedRows(turns, [prefix], after))
      yield { order, key: sessionKeys.turn(of.agent, of.session, keyParts(order)[1]!) };
    return;
  }
  const prefixes =
    workdirs?.map(sessionKeys.recentTurns) ?? (await groupsBelow(turns, sessionKeys.allRecentTurns()));
  for await (const { order } of mergedRows(turns, prefixes, after)) {
    const [, agent, session, turn] = keyParts(order) as [string, string, string, string];
    yield { order, key: sessionKeys.turn(agent, session, turn) };
  }
}

/** What the context view lists: its key is the id of a row of `memory`. */
async function* contextEntries(
  context: ViewReader,
  kind: 'observation' | 'summary' | 'prompt' | 'saved',
  { workdirs, session, agent }: Scope,
  after: string | null,
): AsyncGenerator<Entry> {
  if (session !== null) {
    // A saved memory names its session, but not the agent of the session.
    const isOfAgent = async (row: string) =>
      agent === null || kind === 'saved' || (await context.get<ContextRow>(row))?.agent === agent;
    const prefix = contextKeys.allOfSession(session.session);
    for await (const { order, row } of mergedRows<string>(context, [prefix], after))
      if (keyParts(row)[2] === kind && (await isOfAgent(row))) yield { order, key: keyParts(order)[1]! };
    return;
  }
  const folders = workdirs?.map(contextKeys.rowsOf) ?? (await groupsBelow(context, contextKeys.allRows()));
  const prefixes = folders.map((folder) => `${folder}${kind}/`);
  for await (const { order } of mergedRows(context, prefixes, after))
    yield { order, key: keyParts(order)[1]! };
}

async function* nothing(): AsyncGenerator<Entry> {}

async function* one(entry: Entry): AsyncGenerator<Entry> {
  yield entry;
}

/** An opaque text that names a place in the list of one kind. */
function cursorOf(kind: ListKind, order: string): string {
  return Buffer.from(JSON.stringify([kind, order])).toString('base64url');
}

/** @throws AnnalsError USAGE */
function orderIn(cursor: string, kind: ListKind): string {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  const [of, order] = 'value' in parsed && Array.isArray(parsed.value) ? parsed.value : [];
  if (of === kind && typeof order === 'string' && /^\d{14}[^/]*\//.test(order)) return order;
  throw new AnnalsError('USAGE', `“${cursor.slice(0, 60)}” is not a place in this list.`, {
    hint: 'Pass `next` of the page before as `after`, unchanged.',
  });
}
