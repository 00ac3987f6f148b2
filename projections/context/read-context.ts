// Reads the `context` view: the newest rows of some workdirs, lasting rows, the most frequent tests, the rows of a
// session. Each query reads a bounded number of rows, whatever the size of the log.

import { pushTo } from '../../log/index.ts';
import type { ViewReader } from '../engine/contract/projector.ts';
import { mergedRows } from '../engine/store/merged-rows.ts';
import { newestFirstFrom } from '../engine/store/newest-first-keys.ts';
import { compareKeys, keyParts } from '../engine/store/row-keys.ts';
import {
  type ContextKind,
  type ContextRow,
  contextKeys,
  countOfRank,
  type FailureRow,
  from,
  type Lasting,
  placeOf,
  type RowOf,
} from './context-rows.ts';

/** Of one workdir. Few have as many different commands. */
const PASSING_MAX = 1_000;

export interface Tally {
  readonly name: string;
  readonly count: number;
}

export interface Span {
  /** Unix ms, inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Rows of one kind, newest first. */
export async function newestRows<K extends ContextKind>(
  view: ViewReader,
  workdirs: readonly string[],
  kind: K,
  limit: number,
): Promise<RowOf<K>[]> {
  return firstRows<RowOf<K>>(
    view,
    workdirs.map((workdir) => contextKeys.rows(workdir, kind)),
    limit,
  );
}

/** Rows of some kinds in a span of time, newest first. With `oldest`, the `limit` oldest rows of the span. */
export async function rowsBetween<K extends ContextKind>(
  view: ViewReader,
  workdirs: readonly string[],
  kinds: readonly K[],
  { since, until }: Span,
  limit: number,
  oldest = false,
): Promise<RowOf<K>[]> {
  const rows: RowOf<K>[] = [];
  for (const workdir of workdirs)
    for (const kind of kinds) {
      const prefix = contextKeys.rows(workdir, kind);
      const edge = oldest ? since : until;
      const after = edge === undefined ? undefined : (oldest ? from : newestFirstFrom)(prefix, edge);
      const found = await view.range<RowOf<K>>(prefix, {
        limit,
        reverse: oldest,
        ...(after === undefined ? {} : { after }),
      });
      for (const [, row] of found) if (isWithin(row, { since, until })) rows.push(row);
    }
  const sorted = newestFirst(rows);
  return oldest ? sorted.slice(-limit) : sorted.slice(0, limit);
}

/** Rows that stay relevant however old they are, newest first. */
export async function lastingRows(
  view: ViewReader,
  workdirs: readonly string[],
  what: Lasting,
  limit: number,
): Promise<ContextRow[]> {
  const prefixes = workdirs.map((workdir) => contextKeys.lastings(workdir, what));
  return rowsAt(view, await firstRows<string>(view, prefixes, limit));
}

/** Rows of a session that are not later than `until` (Unix ms), newest first. */
export async function sessionRows(
  view: ViewReader,
  session: string,
  limit: number,
  until: number = Number.POSITIVE_INFINITY,
): Promise<ContextRow[]> {
  const prefix = contextKeys.allOfSession(session);
  const keys = await view.range<string>(prefix, { limit, after: newestFirstFrom(prefix, until) });
  return newestFirst(
    await rowsAt(
      view,
      keys.map(([, rowKey]) => rowKey),
    ),
  );
}

/** Rows whose id begins with `id`, at most `limit`. */
export async function rowsById(view: ViewReader, id: string, limit: number): Promise<ContextRow[]> {
  const keys = await view.range<string>(contextKeys.id(id), { limit });
  return rowsAt(
    view,
    keys.map(([, rowKey]) => rowKey),
  );
}

/** The tests that passed most often in these workdirs together, summed over the top `limit` of each workdir. */
export async function mostFrequentTests(
  view: ViewReader,
  workdirs: readonly string[],
  limit: number,
): Promise<Tally[]> {
  const counts = new Map<string, number>();
  for (const workdir of workdirs)
    for (const [rowKey] of await view.range(contextKeys.ranks(workdir), { limit })) {
      const [, , count = '', name = ''] = keyParts(rowKey);
      counts.set(name, (counts.get(name) ?? 0) + countOfRank(count));
    }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

/** A command that failed several times and never passed. */
export interface FailingCall {
  readonly call: string;
  readonly times: number;
  /** So many times in exactly the form of the last one. */
  readonly exactly: number;
  readonly last: FailureRow;
  /** Calls that passed, as many as are read. */
  readonly passing: readonly string[];
}

/** Commands of the newest `limit` failures that failed more than once and never passed, newest first. */
export async function failingCalls(
  view: ViewReader,
  workdirs: readonly string[],
  limit: number,
): Promise<FailingCall[]> {
  const failures = await firstRows<FailureRow>(view, workdirs.map(contextKeys.failures), limit);
  const found = new Map<string, FailureRow[]>();
  for (const row of failures) pushTo(found, row.call, row);
  const often = [...found].filter(([, rows]) => rows.length > 1);
  if (often.length === 0) return [];
  const passed = await passedAmong(
    view,
    workdirs,
    often.map(([call]) => call),
  );
  const passing = await passingCalls(view, workdirs);
  const time = ({ at }: FailureRow) => at ?? Number.NEGATIVE_INFINITY;
  return often
    .filter(([call]) => !passed.has(call))
    .map(([call, rows]) => {
      const last = rows.reduce((a, b) => (time(b) > time(a) ? b : a));
      const exactly = rows.filter(({ command }) => command === last.command).length;
      return { call, times: rows.length, exactly, last, passing };
    })
    .sort((a, b) => time(b.last) - time(a.last));
}

async function passedAmong(
  view: ViewReader,
  workdirs: readonly string[],
  calls: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = workdirs.flatMap((workdir) => calls.map((call) => ({ workdir, call })));
  const counts = await view.getMany(
    asked.map(({ workdir, call }) => contextKeys.tally(workdir, 'call', call)),
  );
  return new Set(asked.flatMap(({ call }, index) => (counts[index] === undefined ? [] : [call])));
}

async function passingCalls(view: ViewReader, workdirs: readonly string[]): Promise<readonly string[]> {
  const calls = new Set<string>();
  for (const workdir of workdirs)
    for (const [rowKey] of await view.range(contextKeys.tallies(workdir, 'call'), { limit: PASSING_MAX }))
      calls.add(keyParts(rowKey)[3]!);
  return [...calls];
}

/** Sorts newest first, rows without a time last, equal places by id. */
export function newestFirst<R extends ContextRow>(rows: readonly R[]): R[] {
  const placed = rows.map((row) => ({ row, place: placeOf(row) }));
  placed.sort((a, b) => compareKeys(a.place, b.place) || (a.row.id < b.row.id ? -1 : 1));
  return placed.map(({ row }) => row);
}

async function rowsAt(view: ViewReader, keys: readonly string[]): Promise<ContextRow[]> {
  return (await view.getMany<ContextRow>(keys)).filter((row) => row !== undefined);
}

export function isWithin({ at }: ContextRow, { since, until }: Span): boolean {
  if (since === undefined && until === undefined) return true;
  return at !== null && (since === undefined || at >= since) && (until === undefined || at <= until);
}

/** The first rows below several prefixes together, in the order of what follows the prefixes. */
async function firstRows<R>(view: ViewReader, prefixes: readonly string[], limit: number): Promise<R[]> {
  const rows: R[] = [];
  for await (const { row } of mergedRows<R>(view, prefixes, null, limit)) {
    rows.push(row);
    if (rows.length === limit) break;
  }
  return rows;
}
