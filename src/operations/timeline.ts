// What was asked, observed, summed up and saved, in the order in which it happened: the newest of a project or of
// a session, or what stands around one thing.
import { AnnalsError } from '../../log/index.ts';
import {
  CONTEXT_KINDS,
  type ContextRow,
  newestFirst,
  resolveProject,
  resolveProjects,
  rowsBetween,
  rowsById,
  sessionRows,
} from '../../projections/index.ts';
import type { TimelineAnswer, TimelineOptions, TimelineRow } from '../api.ts';
import { parseTime } from '../search/index.ts';
import { find } from './find.ts';
import { projectByName } from './folder-project.ts';
import { isoTime } from './item.ts';
import type { Opened } from './opened.ts';
import { problemsOf } from './problems.ts';
import { partitionsOf, projectPartitions } from './projects.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 1_000;
/** Of one side, where only the other is told. */
const SIDE_DEFAULT = 10;
/** Rows of one session that are looked at. */
const SESSION_ROWS_MAX = 5_000;

/** What stands in the middle. */
interface Anchor {
  readonly id: string;
  readonly place: string;
  readonly at: number | null;
  /** Shown itself, also when it is nothing that a timeline shows of its own. */
  readonly row: Omit<TimelineRow, 'project'>;
}

/** How many rows are shown of each side of the middle; null: half of `limit` each. */
interface Sides {
  readonly before: number;
  readonly after: number;
}

interface Span {
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE (a time that is none) */
export async function timelineOf(options: TimelineOptions, opened: Opened): Promise<TimelineAnswer> {
  const { now } = opened;
  const sides = sidesOf(options);
  const most = sides === null ? (options.limit ?? LIMIT_DEFAULT) : sides.before + sides.after + 1;
  const limit = Math.min(Math.max(1, Math.floor(most)), sides === null ? LIMIT_MAX : 2 * LIMIT_MAX + 1);
  const span = {
    since: options.since === undefined ? undefined : parseTime(options.since, now(), 'since'),
    until: options.until === undefined ? undefined : parseTime(options.until, now(), 'until'),
  };
  const anchor = options.around === undefined ? null : await anchorOf(options.around, opened);
  const rows = await chosenRows(options, span, anchor, { limit, sides }, opened);
  const shown = newestFirst(rows).reverse();
  const places = [...new Set([...shown, ...(anchor === null ? [] : [anchor])].map(({ place }) => place))];
  const projects = await resolveProjects(places, opened.views.projects);
  const names = new Map(places.map((place, index) => [place, projects[index]!.name]));
  const answered = shown.map((row) => ({ ...rowOf(row), project: names.get(row.place)! }));
  const missing = anchor !== null && !answered.some(({ id }) => id === anchor.id);
  return {
    rows: missing ? placed(answered, { ...anchor.row, project: names.get(anchor.place)! }) : answered,
    degraded: problemsOf(opened),
  };
}

async function chosenRows(
  options: TimelineOptions,
  span: Span,
  anchor: Anchor | null,
  { limit, sides }: { readonly limit: number; readonly sides: Sides | null },
  opened: Opened,
): Promise<readonly ContextRow[]> {
  const view = opened.views.context;
  if (options.session !== undefined) {
    const session = await sessionId(options.session, opened);
    const rows = (await sessionRows(view, session, SESSION_ROWS_MAX)).filter((row) => isWithin(row, span));
    return anchor === null ? rows.slice(0, limit) : around(rows, anchor, limit, sides);
  }
  const places = await chosenPlaces(options.project, anchor, opened);
  if (anchor === null) return rowsBetween(view, places, CONTEXT_KINDS, span, limit);
  const at = anchor.at ?? undefined;
  const before = await rowsBetween(view, places, CONTEXT_KINDS, { ...span, until: at }, limit);
  const after = await rowsBetween(view, places, CONTEXT_KINDS, { ...span, since: at }, limit, true);
  const both = new Map([...after, ...before].map((row) => [row.id, row]));
  return around(newestFirst([...both.values()]), anchor, limit, sides);
}

async function chosenPlaces(
  project: string | undefined,
  anchor: Anchor | null,
  opened: Opened,
): Promise<readonly string[]> {
  if (project !== undefined) return (await projectByName(project, opened)).places;
  const all = await projectPartitions(opened.views);
  if (anchor === null) return all.flatMap(({ places }) => places);
  const { key } = await resolveProject(anchor.place, opened.views.projects);
  return (await partitionsOf(key, all, opened.views.projects)).flatMap(({ places }) => places);
}

/** @throws AnnalsError USAGE: `before` or `after` without `around` */
function sidesOf({ around, before, after }: TimelineOptions): Sides | null {
  if (before === undefined && after === undefined) return null;
  if (around === undefined)
    throw new AnnalsError('USAGE', 'Rows before and after are counted from one thing, and none is named.', {
      hint: 'Give its id: annals timeline o-q4m2x7c3n5pa --before 5 --after 2.',
    });
  const count = (rows = SIDE_DEFAULT) => Math.min(Math.max(0, Math.floor(rows)), LIMIT_MAX);
  return { before: count(before), after: count(after) };
}

/**
 * Half of the rows not later than the middle, half later; where one side has fewer, the other has more. With `sides`
 * as many of each as they say, beside the middle itself.
 */
function around(
  rows: readonly ContextRow[],
  { id, at }: Anchor,
  limit: number,
  sides: Sides | null,
): readonly ContextRow[] {
  const own = rows.findIndex((row) => row.id === id);
  const first = rows.findIndex((row) => (row.at ?? 0) <= (at ?? 0));
  const middle = own !== -1 ? own : first === -1 ? rows.length : first;
  if (sides !== null) {
    const start = Math.max(0, middle - sides.after);
    return rows.slice(start, middle + sides.before + (own === -1 ? 0 : 1));
  }
  const half = Math.floor(limit / 2);
  const start = Math.max(0, Math.min(middle - half, rows.length - limit));
  return rows.slice(start, start + limit);
}

async function anchorOf(id: string, opened: Opened): Promise<Anchor> {
  const { views, log } = opened;
  const rows = await rowsById(views.context, id.trim(), 2);
  const exact = rows.find((row) => row.id === id.trim()) ?? (rows.length === 1 ? rows[0] : undefined);
  if (exact !== undefined) return { id: exact.id, place: exact.place, at: exact.at, row: rowOf(exact) };
  const found = await find(id, { log, turns: views.turns, memory: views.memory });
  switch (found.kind) {
    case 'document': {
      const { id, kind, type, title, session, place, at } = found.document;
      return { id, place, at, row: { id, kind, type, title, session, at: isoTime(at) } };
    }
    case 'turn': {
      const { id, session, place, startedAt } = found.turn;
      const row = { id, kind: 'turn', type: null, title: 'A turn', session, at: isoTime(startedAt) } as const;
      return { id, place, at: startedAt, row };
    }
    case 'session': {
      const { session, place, startedAt, title } = found.session;
      const at = isoTime(startedAt);
      const row = { id: session, kind: 'session', type: null, title: title ?? session, session, at } as const;
      return { id: session, place, at: startedAt, row };
    }
    case 'event':
      throw new AnnalsError('NOT_FOUND', `“${id}” is an event; a timeline shows what was made of events.`, {
        hint: 'Give the id of a prompt, a tool use, an observation, a turn or a session.',
      });
  }
}

async function sessionId(given: string, { views, log }: Opened): Promise<string> {
  if ((await sessionRows(views.context, given, 1)).length > 0) return given;
  const found = await find(given, { log, turns: views.turns, memory: views.memory });
  if (found.kind === 'session') return found.session.session;
  throw new AnnalsError('NOT_FOUND', `No session has the id “${given}”.`, {
    hint: '`annals log --kind session` lists sessions.',
  });
}

function isWithin({ at }: ContextRow, { since, until }: Span): boolean {
  if (since === undefined && until === undefined) return true;
  return at !== null && (since === undefined || at >= since) && (until === undefined || at <= until);
}

function rowOf(row: ContextRow): Omit<TimelineRow, 'project'> {
  const { id, title, session, at } = row;
  return {
    id,
    kind: row.kind === 'saved' ? 'memory' : row.kind,
    type: row.kind === 'observation' || row.kind === 'saved' ? row.type : null,
    title,
    session,
    at: isoTime(at),
  };
}

function placed(rows: readonly TimelineRow[], one: TimelineRow): TimelineRow[] {
  const index = rows.findIndex(({ at }) => at !== null && one.at !== null && at > one.at);
  return index === -1 ? [...rows, one] : [...rows.slice(0, index), one, ...rows.slice(index)];
}
