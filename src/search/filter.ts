// Decides which documents a search may show, apart from the query's words. Filters read only fields that the short rows
// of `recent` have too, so one function serves documents and rows; the text index holds text only.
import type { DocumentKind, RecentDocument, ToolOutcome } from '../../projections/index.ts';
import { parseTime } from './query/parse-time.ts';
import type { Condition } from './query/query-conditions.ts';
import type { Operator } from './query/query-tokens.ts';

/** The fields a filter reads. */
type Row = Omit<RecentDocument, 'id'>;

export interface Filter {
  readonly passes: (row: Row) => boolean;
  /** Whether a document of this kind and type can pass. */
  readonly mayPass: (kind: DocumentKind, type: string | null) => boolean;
  /** Whether every document passes. */
  readonly isOpen: boolean;
  /** The time span of every document that passes, Unix ms, both ends included. */
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** An observation of another type may hold decisions too. */
const DECISION = 'decision';
/** A tool use that ran tests, with any tool. */
const TEST = 'test';

/**
 * A filter of all conditions except projects, which choose what is searched. `type`, `concept`, `kind` and `outcome` are compared
 * without case; `agent` matches a prefix, `session` the whole id; `file` matches a name, a path or any run of whole segments of
 * one, with either slash. A document without a time is outside every time span.
 * @throws AnnalsError USAGE: an invalid time
 */
export function filterOf(conditions: readonly Condition[], now: number): Filter {
  const times = (field: 'since' | 'until') =>
    conditions.flatMap((one) => (one.field === field ? [parseTime(one.value, now, field)] : []));
  const since = times('since').reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const until = times('until').reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const tests = conditions.flatMap(({ field, value, not }) => {
    if (field === 'project' || field === 'since' || field === 'until') return [];
    const holds = TESTS[field](String(value).toLowerCase());
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

export function asksForDecisions(conditions: readonly Condition[]): boolean {
  return conditions.some(
    ({ field, value, not }) => field === 'type' && !not && String(value).toLowerCase() === DECISION,
  );
}

/** A condition as a test of whole kinds and types; null when it excludes none of them. */
function groupTest({ field, value, not }: Condition): Filter['mayPass'] | null {
  const wanted = String(value).toLowerCase();
  if (field === 'kind') return (kind) => (kind === wanted) !== not;
  if (field === 'type')
    return (kind, type) =>
      (type?.toLowerCase() === wanted) !== not ||
      (!not && wanted === DECISION && kind === 'observation') ||
      (!not && wanted === TEST && kind === 'tool');
  if (not) return null;
  if (field === 'outcome') return (kind) => kind === 'tool';
  if (field === 'concept')
    return (kind) => kind === 'observation' || kind === 'memory' || kind === 'imported';
  return field === 'file' ? (kind) => kind !== 'prompt' && kind !== 'answer' : null;
}

/** Tests that failed are a failure, also where a pipe hides the status. */
export function outcomeOf({ outcome, tests }: Pick<Row, 'outcome' | 'tests'>): ToolOutcome | null {
  return tests === 'failed' ? 'failed' : outcome;
}

type Test = (row: Row) => boolean;

/** A function per field: it takes a value in lower case and returns a test. A field of the short row: see recent-rows.ts. */
const TESTS: Record<Exclude<Operator, 'project' | 'since' | 'until'>, (value: string) => Test> = {
  kind:
    (kind) =>
    ({ kind: actual }) =>
      actual === kind,
  type:
    (type) =>
    ({ type: actual, hasDecisions, tests }) =>
      actual?.toLowerCase() === type ||
      (type === DECISION && hasDecisions === true) ||
      (type === TEST && tests !== undefined),
  concept:
    (concept) =>
    ({ concepts }) =>
      concepts.some((actual) => actual.toLowerCase() === concept),
  outcome: (outcome) => (row) => outcomeOf(row) === outcome,
  agent:
    (agent) =>
    ({ agent: actual }) =>
      actual.toLowerCase().startsWith(agent),
  session:
    (session) =>
    ({ session: actual }) =>
      actual?.toLowerCase() === session,
  file: (path) => {
    const wanted = segments(path.normalize('NFC'));
    // Most paths do not contain the last name; testing that is cheaper than splitting them into segments.
    const name = wanted.slice(0, -1).split('/').at(-1)!;
    return ({ files }) =>
      files.some((actual) => {
        const lower = actual.normalize('NFC').toLowerCase();
        return lower.includes(name) && segments(lower).includes(wanted);
      });
  },
};

/** `D:\a\b.ts` → `/d:/a/b.ts/`, so that a text search finds whole segments only. */
function segments(path: string): string {
  return `/${path.replaceAll('\\', '/').replace(/^\.?\/+|\/+$/g, '')}/`;
}
