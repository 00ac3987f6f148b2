// Which documents a search may show, beside the words. Filters ask only what the short rows of `recent` hold too,
// so that one function serves documents and rows; the text index holds nothing but text.
import type { DocumentKind, RecentDocument } from '../../projections/index.ts';
import { parseTime } from './query/parse-time.ts';
import type { Condition } from './query/query-conditions.ts';
import type { Operator } from './query/query-tokens.ts';

/** What is asked of a document. */
type Row = Omit<RecentDocument, 'id'>;

export interface Filter {
  readonly passes: (row: Row) => boolean;
  /** Whether anything of this kind and type may pass. */
  readonly mayPass: (kind: DocumentKind, type: string | null) => boolean;
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
    return [not ? (row: Row) => !holds(row) : holds];
  });
  const isTimed = since > Number.NEGATIVE_INFINITY || until < Number.POSITIVE_INFINITY;
  if (isTimed) tests.push(({ at }) => at !== null && at >= since && at <= until);
  const groups = conditions.flatMap((condition) => groupTest(condition) ?? []);
  return {
    passes: (row) => tests.every((test) => test(row)),
    mayPass: (kind, type) => groups.every((test) => test(kind, type)),
    isOpen: tests.length === 0,
    since: Number.isFinite(since) ? since : undefined,
    until: Number.isFinite(until) ? until : undefined,
  };
}

/** What a condition says of whole kinds and types; null: nothing. */
function groupTest({ field, value, not }: Condition): Filter['mayPass'] | null {
  const wanted = String(value).toLowerCase();
  if (field === 'kind') return (kind) => (kind === wanted) !== not;
  if (field === 'type') return (_, type) => (type?.toLowerCase() === wanted) !== not;
  if (not) return null;
  if (field === 'concept') return (kind) => kind === 'observation' || kind === 'memory';
  return field === 'file' ? (kind) => kind !== 'prompt' && kind !== 'answer' : null;
}

type Test = (row: Row) => boolean;

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
    // Most paths do not even hold the last name, which is quicker seen than cut into segments.
    const name = wanted.slice(0, -1).split('/').at(-1)!;
    return ({ files }) =>
      files.some((is) => {
        const lower = is.toLowerCase();
        return lower.includes(name) && segments(lower).includes(wanted);
      });
  },
};

/** `D:\a\b.ts` → `/d:/a/b.ts/`, so that whole segments can be looked for as text. */
function segments(path: string): string {
  return `/${path.replaceAll('\\', '/').replace(/^\.?\/+|\/+$/g, '')}/`;
}
