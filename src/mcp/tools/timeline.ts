import * as z from 'zod';
import type { TimelineRow } from '../../api.ts';
import { entryFields, entryOf, kindText } from '../common/entry.ts';
import { fittingEntries, nextCall, shortLine } from '../common/past-text.ts';
import { projectInput, scopeOf } from '../common/scope.ts';
import { defineTool } from '../common/tool.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 50;

const row = z.object({ ...entryFields, project: z.string() });
type Row = z.output<typeof row>;

export const timeline = defineTool({
  name: 'timeline',
  title: 'Timeline of earlier work',
  description:
    'Lists prompts, observations, summaries and saved memories of earlier sessions in time order: the newest of a project or a ' +
    'session, or what came before and after one thing (around). Use it to see where work stopped, or what led to a result of search.',
  input: z.strictObject({
    around: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('An id: what came before and after it in its project.'),
    session: z.string().min(1).max(500).optional().describe('Only this session.'),
    project: projectInput,
    since: z.string().min(1).max(100).optional().describe('Not older than 7d, 12h, yesterday or a date.'),
    until: z.string().min(1).max(100).optional().describe('Not newer than this.'),
    limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT),
    cursor: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe(
        '`next` of the page before, for what is older. With the same other arguments, without around.',
      ),
  }),
  output: z.object({
    project: z.string().nullable().describe('Null: all projects, or that of the thing or session.'),
    rows: z.array(row).describe('Oldest first.'),
    notes: z.array(z.string()),
    next: z.string().nullable(),
  }),
  effect: 'reads',
  async run({ around, session, project, limit, cursor, since, until }, call) {
    // An id and a session name their project themselves.
    const isPlaced = project === undefined && (around ?? session) !== undefined;
    const scope = isPlaced ? { name: null, option: {}, unknown: null } : await scopeOf(project, call);
    if (scope.unknown !== null)
      return answerOf({ project: scope.name, rows: [], notes: [scope.unknown], next: null });
    const middle = cursor ?? around;
    const answer = await call.ask((annals) =>
      annals.timeline({
        ...scope.option,
        ...(middle === undefined ? {} : { around: middle }),
        ...(cursor === undefined ? { limit } : { before: limit, after: 0 }),
        ...(session === undefined ? {} : { session }),
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
      }),
    );
    const found = answer.rows.filter(({ id }) => id !== cursor).map(shownRow);
    const rows = fittingRows(found, cursor === undefined ? around : undefined);
    const isMore = found.length >= limit || rows[0] !== found[0];
    const next = isMore ? rows[0]!.id : null;
    const notes = [...laterNote(found, rows), ...answer.degraded.map((sentence) => shortLine(sentence))];
    return answerOf({ project: scope.name, rows, notes, next });
  },
});

/** The newest, or the nearest to `around`. */
function fittingRows(found: readonly Row[], around: string | undefined): Row[] {
  const own = around === undefined ? -1 : found.findIndex(({ id }) => id.startsWith(around.trim()));
  const middle = own === -1 ? found.length : own;
  const distances = new Map(found.map((one, index) => [one, Math.abs(index - middle)]));
  const nearestFirst = [...found].sort((a, b) => distances.get(a)! - distances.get(b)!);
  const fitting = new Set(fittingEntries(nearestFirst));
  return found.filter((one) => fitting.has(one));
}

function laterNote(found: readonly Row[], rows: readonly Row[]): string[] {
  const newest = rows.at(-1);
  const later = newest === undefined ? 0 : found.length - 1 - found.indexOf(newest);
  return later === 0 ? [] : [`${later} later ones did not fit: timeline around "${newest!.id}" shows them.`];
}

function shownRow(found: TimelineRow): Row {
  return { ...entryOf(found), project: shortLine(found.project) };
}

interface Answer {
  readonly project: string | null;
  readonly rows: Row[];
  readonly notes: string[];
  readonly next: string | null;
}

function answerOf(answer: Answer) {
  const { project, rows, notes, next } = answer;
  const newest = rows.at(-1);
  const lines = [
    ...rows.map(rowLine),
    ...(newest === undefined && notes.length === 0 ? ['Nothing happened in this time.'] : []),
    ...notes,
  ];
  const calls = [
    nextCall('get', { ids: [newest?.id ?? ''] }),
    ...(next === null ? [] : [`the same call with cursor "${next}" for what is older`]),
  ];
  return { answer, project, lines, nextCalls: newest === undefined ? [] : calls };
}

function rowLine(one: Row): string {
  const { id, title, project, at } = one;
  return `- ${[at?.slice(0, 16) ?? 'time unknown', id, kindText(one), project].join(' · ')}: ${title}`;
}
