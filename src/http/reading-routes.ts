// Routes that read: search, timeline, lists, one item, the brief.
import * as z from 'zod';
import type { DocumentKind } from '../../projections/index.ts';
import { CONTEXT_OCCASIONS } from '../api/context.ts';
import type { ListKind, SearchOptions } from '../api.ts';
import { defineRoute, type Exchange, type Route, type Services } from './route.ts';
import { listedItems, projectsAnswer, statsAnswer } from './schemas/lists.ts';
import {
  asOf as asOfReport,
  contextAnswer,
  receiptsAnswer,
  searchAnswer,
  shownItem,
  timelineAnswer,
  whyAnswer,
} from './schemas/reading.ts';

const LIMIT_MAX = 1_000;

/** What the library needs of a request that may be about an earlier state: it stops when nobody waits for the answer. */
function waiting({ asOf }: { readonly asOf?: string }, { streams }: Services, { gone }: Exchange) {
  return { signal: gone, ...(asOf === undefined ? {} : { onProgress: streams.pastProgressOf(asOf) }) };
}

const text = z.string().min(1).max(2_000).exactOptional();
const limit = z.coerce.number().int().min(1).max(LIMIT_MAX).exactOptional();
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const asOf = text.describe('A position of the log, or a time: the answer as it was then.');
const soFar = flag
  .exactOptional()
  .describe('true: while the views are being built, answers with what they hold so far.');
const since = text.describe('Unix ms, ISO 8601, 7d, yesterday, …');
export const id = z.object({ id: z.string().min(1).max(500) });
const item = { params: id, example: { params: { id: '{item}' } }, failures: [404, 409, 410] } as const;

const search = defineRoute({
  method: 'get',
  path: '/api/search',
  summary: 'Searches everything that is remembered.',
  query: z.strictObject({
    q: z.string().max(10_000).default('').describe('Words and operators, as in `annals search`.'),
    project: text,
    kind: z
      .enum(['prompt', 'answer', 'tool', 'memory', 'observation', 'summary', 'imported'])
      .exactOptional(),
    type: text,
    file: text,
    concept: text,
    outcome: z.enum(['ok', 'failed', 'cancelled']).exactOptional(),
    agent: text,
    session: text,
    since: since,
    until: since,
    limit,
    explain: flag.exactOptional(),
    soFar,
    asOf,
  }),
  example: { query: { q: 'chute', limit: '5', explain: 'true' } },
  answer: searchAnswer,
  failures: [404, 409],
  run: ({ query: { q, ...options } }, services, exchange) =>
    services.annals.search(q, {
      ...(options satisfies SearchOptions & { kind?: DocumentKind }),
      ...waiting(options, services, exchange),
    }),
});

const timeline = defineRoute({
  method: 'get',
  path: '/api/timeline',
  summary: 'Prompts, observations, summaries and saved memories in time order.',
  query: z.strictObject({
    around: text.describe('An id: what came before and after it.'),
    project: text,
    session: text,
    since: since,
    until: since,
    limit,
    before: z.coerce.number().int().min(0).max(LIMIT_MAX).exactOptional(),
    after: z.coerce.number().int().min(0).max(LIMIT_MAX).exactOptional(),
    soFar,
    asOf,
  }),
  example: { query: { limit: '5' } },
  answer: timelineAnswer,
  failures: [404, 409],
  run: ({ query }, services, exchange) =>
    services.annals.timeline({ ...query, ...waiting(query, services, exchange) }),
});

const listQuery = z.strictObject({
  project: text,
  session: text,
  agent: text.describe('The agent of `session`, if several have one with this id.'),
  limit,
  after: text.describe('`next` of the page before.'),
  soFar,
  asOf,
});

function list<K extends ListKind>(kind: K, path: string, summary: string): Route {
  return defineRoute({
    method: 'get',
    path,
    summary,
    query: listQuery,
    example: { query: { limit: '2' } },
    answer: z.object({
      items: z.array(listedItems[kind]),
      next: z.string().nullable(),
      degraded: z.array(z.string()).exactOptional(),
      asOf: asOfReport.exactOptional(),
    }),
    failures: [404, 409],
    run: ({ query }, services, exchange) =>
      services.annals.list(kind, { ...query, ...waiting(query, services, exchange) }) as never,
  });
}

const show = defineRoute({
  method: 'get',
  path: '/api/items/{id}',
  summary: 'One item by its id, or the beginning of it: a document, a turn, a session or an event.',
  ...item,
  query: z.strictObject({ soFar, asOf }),
  answer: shownItem,
  run: ({ params, query }, services, exchange) =>
    services.annals.get(params.id, { ...query, ...waiting(query, services, exchange) }),
});

const why = defineRoute({
  method: 'get',
  path: '/api/items/{id}/why',
  summary: 'The events that an item came from.',
  ...item,
  answer: whyAnswer,
  run: ({ params }, { annals }) => annals.why(params.id),
});

export const contextQuery = {
  project: text,
  cwd: z.string().min(1).max(4_096).exactOptional(),
  kind: z.enum(CONTEXT_OCCASIONS).exactOptional(),
  session: text.describe('The session that continues.'),
};

/** The folder of the worker is that of no caller. */
export const NAMES_PROJECT = 'Name a project, or the folder of one: cwd.';
export const namesProject = ({ project, cwd }: { readonly project?: string; readonly cwd?: string }) =>
  (project ?? cwd) !== undefined;

const context = defineRoute({
  method: 'get',
  path: '/api/context',
  summary: 'The brief that a session of a project starts with.',
  query: z
    .strictObject({
      ...contextQuery,
      form: z.enum(['agent', 'person', 'both']).default('agent'),
      asOf,
    })
    .refine(namesProject, NAMES_PROJECT),
  example: { query: { cwd: '/home/u/feeder' } },
  answer: contextAnswer,
  failures: [404, 409],
  run: ({ query }, services, exchange) =>
    services.annals.context({ ...query, color: false, ...waiting(query, services, exchange) }),
});

const stats = defineRoute({
  method: 'get',
  path: '/api/stats',
  summary: 'How much is remembered, in total and by project.',
  answer: statsAnswer,
  run: (_, { annals }) => annals.stats(),
});

const receipts = defineRoute({
  method: 'get',
  path: '/api/receipts',
  summary: 'What sessions were given, and what they used of it.',
  query: z.strictObject({
    project: text,
    limit,
    item: text.describe('An id: only its figures, of all projects together.'),
  }),
  example: { query: { limit: '2' } },
  answer: receiptsAnswer,
  failures: [404],
  run: ({ query }, { annals }) => annals.receipts(query),
});

const projects = defineRoute({
  method: 'get',
  path: '/api/projects',
  summary: 'All projects, by name.',
  answer: projectsAnswer,
  run: async (_, { annals }) => ({ items: (await annals.stats()).projects }) as never,
});

export const readingRoutes: readonly Route[] = [
  search,
  timeline,
  list('session', '/api/sessions', 'Sessions, by what happened last in them, newest first.'),
  list('turn', '/api/turns', 'Turns, newest first.'),
  list('observation', '/api/observations', 'Observations, newest first.'),
  list('summary', '/api/summaries', 'Summaries of turns, newest first.'),
  list('prompt', '/api/prompts', 'Prompts, newest first.'),
  list('memory', '/api/memories', 'Saved memories, newest first.'),
  projects,
  stats,
  receipts,
  show,
  why,
  context,
];
