// Lists prompts, observations, summaries and saved memories in time order: the newest of a project or a session, or what
// came before and after one item.
import { AnnalsError, isoTime } from '../../log/index.ts';
import {
  CONTEXT_KINDS,
  type ContextRow,
  isWithin,
  newestFirst,
  resolveProject,
  resolveProjects,
  rowsBetween,
  rowsById,
  type Span,
  sessionRows,
} from '../../projections/index.ts';
import type { TimelineAnswer, TimelineOptions, TimelineRow } from '../api.ts';
import { projectByName } from '../home/folder-project.ts';
import type { Home } from '../home/home.ts';
import { knownProjects, projectIndexesOf } from '../home/home-projects.ts';
import { itemMarks } from '../home/item-marks.ts';
import { namedSession } from '../home/named-session.ts';
import { parseTime } from '../search/index.ts';
import { resolveId } from './resolve-id.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 1_000;
/** Rows on one side if only the other side is given. */
const SIDE_DEFAULT = 10;
/** How many rows of one session are read. */
const SESSION_ROWS_MAX = 5_000;

/** The item in the middle. */
interface Pivot {
  readonly id: string;
  readonly workdir: string;
  readonly at: number | null;
  /** Its own row, shown even if a timeline does not list its kind. */
  readonly row: Omit<TimelineRow, 'project'>;
}

/** How many rows are shown on each side of the middle; null: half of `limit` each. */
interface Sides {
  readonly before: number;
  readonly after: number;
}

/** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE (an invalid time) */
export async function timelineOf(options: TimelineOptions, home: Home): Promise<TimelineAnswer> {
  const { now } = home;
  const sides = sidesOf(options);
  const most = sides === null ? (options.limit ?? LIMIT_DEFAULT) : sides.before + sides.after + 1;
  const limit = Math.min(Math.max(1, Math.floor(most)), sides === null ? LIMIT_MAX : 2 * LIMIT_MAX + 1);
  const span = {
    since: options.since === undefined ? undefined : parseTime(options.since, now(), 'since'),
    until: options.until === undefined ? undefined : parseTime(options.until, now(), 'until'),
  };
  const pivot = options.around === undefined ? null : await pivotOf(options.around, home);
  const rows = await chosenRows(options, span, pivot, { limit, sides }, home);
  const shown = newestFirst(rows).reverse();
  const workdirs = [...new Set([...shown, ...(pivot === null ? [] : [pivot])].map(({ workdir }) => workdir))];
  const projects = await resolveProjects(workdirs, home.views.projects);
  const names = new Map(workdirs.map((workdir, index) => [workdir, projects[index]!.name]));
  const answered = shown.map((row) => ({ ...rowOf(row), project: names.get(row.workdir)! }));
  const missing = pivot !== null && !answered.some(({ id }) => id === pivot.id);
  return {
    rows: missing ? withPivot(answered, { ...pivot.row, project: names.get(pivot.workdir)! }) : answered,
    degraded: home.state().problems,
  };
}

async function chosenRows(
  options: TimelineOptions,
  span: Span,
  pivot: Pivot | null,
  { limit, sides }: { readonly limit: number; readonly sides: Sides | null },
  home: Home,
): Promise<readonly ContextRow[]> {
  const view = home.views.context;
  if (options.session !== undefined) {
    const { id } = await namedSession(options.session, home.views.turns);
    const rows = (await sessionRows(view, id, SESSION_ROWS_MAX)).filter((row) => isWithin(row, span));
    return pivot === null ? rows.slice(0, limit) : around(rows, pivot, limit, sides);
  }
  const workdirs = await chosenWorkdirs(options.project, pivot, home);
  if (pivot === null) return rowsBetween(view, workdirs, CONTEXT_KINDS, span, limit);
  const before = await rowsBeside(pivot, 'before', { view, workdirs, span, limit });
  const after = await rowsBeside(pivot, 'after', { view, workdirs, span, limit });
  const both = new Map([...after, ...before].map((row) => [row.id, row]));
  return around(newestFirst([...both.values()]), pivot, limit, sides);
}

/** At least `limit` rows on this side, if there are so many; some of the pivot's own time are on the other side. */
async function rowsBeside(
  pivot: Pivot,
  side: 'before' | 'after',
  {
    view,
    workdirs,
    span,
    limit,
  }: { view: Home['views']['context']; workdirs: readonly string[]; span: Span; limit: number },
): Promise<readonly ContextRow[]> {
  const at = pivot.at ?? undefined;
  const within = side === 'before' ? { ...span, until: at } : { ...span, since: at };
  for (let wanted = limit; ; wanted *= 2) {
    const rows = await rowsBetween(view, workdirs, CONTEXT_KINDS, within, wanted, side === 'after');
    const own = rows.findIndex(({ id }) => id === pivot.id);
    const beside = own === -1 ? notAt(pivot, rows) : side === 'before' ? rows.length - 1 - own : own;
    if (rows.length < wanted || beside >= limit) return rows;
  }
}

/** How many rows have another time; beside what has no time none is known to be. */
function notAt({ at }: Pivot, rows: readonly ContextRow[]): number {
  return at === null ? 0 : rows.filter((row) => row.at !== at).length;
}

async function chosenWorkdirs(
  project: string | undefined,
  pivot: Pivot | null,
  home: Home,
): Promise<readonly string[]> {
  if (project !== undefined) return (await projectByName(project, home)).workdirs;
  const known = await knownProjects(home.views);
  if (pivot === null) return known.indexes.flatMap(({ workdirs }) => workdirs);
  const { key } = await resolveProject(pivot.workdir, home.views.projects);
  return projectIndexesOf(key, known).flatMap(({ workdirs }) => workdirs);
}

/** @throws AnnalsError USAGE: `before` or `after` without `around` */
function sidesOf({ around, before, after }: TimelineOptions): Sides | null {
  if (before === undefined && after === undefined) return null;
  if (around === undefined)
    throw new AnnalsError('USAGE', '--before and --after count rows around an item, but no item is named.', {
      hint: 'Give its id: annals timeline o-q4m2x7c3n5pa --before 5 --after 2.',
    });
  const count = (rows = SIDE_DEFAULT) => Math.min(Math.max(0, Math.floor(rows)), LIMIT_MAX);
  return { before: count(before), after: count(after) };
}

/**
 * Half of the rows not later than the middle, half later; if one side has fewer, the other gets more. With `sides`, that
 * many rows on each side, plus the middle itself.
 */
function around(
  rows: readonly ContextRow[],
  { id, at }: Pivot,
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

async function pivotOf(id: string, home: Home): Promise<Pivot> {
  const { views, log } = home;
  const rows = await rowsById(views.context, id.trim(), 2);
  const exact = rows.find((row) => row.id === id.trim()) ?? (rows.length === 1 ? rows[0] : undefined);
  if (exact !== undefined) return { id: exact.id, workdir: exact.workdir, at: exact.at, row: rowOf(exact) };
  const found = await resolveId(id, { log, turns: views.turns, memory: views.memory });
  switch (found.kind) {
    case 'document': {
      const { id, kind, type, title, session, workdir, at, marks } = found.document;
      const row = { ...{ id, kind, type, ...itemMarks(marks) }, title, session, at: isoTime(at) };
      return { id, workdir, at, row };
    }
    case 'turn': {
      const { id, session, workdir, startedAt } = found.turn;
      const row = { id, kind: 'turn', type: null, title: 'A turn', session, at: isoTime(startedAt) } as const;
      return { id, workdir, at: startedAt, row };
    }
    case 'session': {
      const { session, workdir, startedAt, title } = found.session;
      const at = isoTime(startedAt);
      const row = { id: session, kind: 'session', type: null, title: title ?? session, session, at } as const;
      return { id: session, workdir, at: startedAt, row };
    }
    case 'event':
      throw new AnnalsError('NOT_FOUND', `“${id}” is an event; a timeline shows items made from events.`, {
        hint: 'Give the id of a prompt, a tool use, an observation, a turn or a session.',
      });
  }
}

function rowOf(row: ContextRow): Omit<TimelineRow, 'project'> {
  const { id, title, session, at } = row;
  return {
    id,
    kind: row.kind === 'saved' ? 'memory' : row.kind === 'pinned' ? row.of : row.kind,
    type: row.kind === 'observation' || row.kind === 'saved' ? row.type : null,
    ...(row.kind === 'saved' && row.author !== undefined ? { author: row.author } : {}),
    ...itemMarks(row.marks),
    title,
    session,
    at: isoTime(at),
  };
}

function withPivot(rows: readonly TimelineRow[], one: TimelineRow): TimelineRow[] {
  const index = rows.findIndex(({ at }) => at !== null && one.at !== null && at > one.at);
  return index === -1 ? [...rows, one] : [...rows.slice(0, index), one, ...rows.slice(index)];
}
