// Which documents a search may show, beside the words. Filters ask only what the short rows of `recent` hold too,
// so that one function serves documents and rows; the text index holds nothing but text.
import type { RecentRow } from '../../projections/index.ts';
import type { Condition } from './query-conditions.ts';
import type { Operator } from './query-tokens.ts';
import { parseTime } from './time.ts';

export interface Filter {
  readonly passes: (row: RecentRow) => boolean;
  /** Whether everything passes. */
  readonly isOpen: boolean;
  /** The span of time that everything that passes stands in, Unix ms, both included. */
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/**
 * All of the conditions, but for projects, which choose where is searched. `type`, `concept` and `kind` are compared
 * without case; `agent` and `session` may be a beginning; `file` is a name, a path or any run of whole segments of
 * one, with either slash. A document without a time is outside of every span of time.
 * @throws AnnalsError USAGE: a time that is none
 */
export function filterOf(conditions: readonly Condition[], now: number): Filter {
  const times = (field: 'since' | 'until') =>
    conditions.flatMap((one) => (one.field === field ? [parseTime(one.value, now, field)] : []));
  const since = times('since').reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const until = times('until').reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const tests = conditions.flatMap(({ field, value, not }) => {
    const make = TESTS[field];
    if (make === undefined) return [];
    const holds = make(String(value).toLowerCase());
    return [not ? (row: RecentRow) => !holds(row) : holds];
  });
  const isTimed = since > Number.NEGATIVE_INFINITY || until < Number.POSITIVE_INFINITY;
  if (isTimed) tests.push(({ at }) => at !== null && at >= since && at <= until);
  return {
    passes: (row) => tests.every((test) => test(row)),
    isOpen: tests.length === 0,
    since: Number.isFinite(since) ? since : undefined,
    until: Number.isFinite(until) ? until : undefined,
  };
}

type Test = (row: RecentRow) => boolean;

/** From a value in lower case to a test of one field. */
const TESTS: Partial<Record<Operator, (value: string) => Test>> = {
  kind:
    (kind) =>
    ({ kind: is }) =>
      is === kind,
  type:
    (type) =>
    ({ type: is }) =>
      is?.toLowerCase() === type,
  concept:
    (concept) =>
    ({ concepts }) =>
      concepts.some((is) => is.toLowerCase() === concept),
  agent:
    (agent) =>
    ({ agent: is }) =>
      is.toLowerCase().startsWith(agent),
  session:
    (session) =>
    ({ session: is }) =>
      is?.toLowerCase().startsWith(session) ?? false,
  file: (path) => {
    const wanted = segments(path);
    return ({ files }) => files.some((is) => segments(is.toLowerCase()).includes(wanted));
  },
};

/** `D:\a\b.ts` → `/d:/a/b.ts/`, so that whole segments can be looked for as text. */
function segments(path: string): string {
  return `/${path.replaceAll('\\', '/').replace(/^\.?\/+|\/+$/g, '')}/`;
}
