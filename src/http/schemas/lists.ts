// Schemas of lists and statistics.
import * as z from 'zod';
import type { ListedItems, ListKind, Stats } from '../../api.ts';
import { marks, timeOrNull } from './reading.ts';

const texts = z.array(z.string());
const integer = z.number().int();

const counts = z.object({
  prompts: integer,
  commands: integer,
  toolUses: integer,
  failed: integer,
  replies: integer,
});
const usage = z.object({ input: integer, output: integer, cacheRead: integer, cacheCreation: integer });
const documents = z.object({
  prompt: integer,
  answer: integer,
  tool: integer,
  memory: integer,
  observation: integer,
  summary: integer,
  imported: integer,
});

const ofTurn = {
  id: z.string(),
  turn: z.string(),
  session: z.string(),
  agent: z.string(),
  project: z.string(),
  at: timeOrNull,
  title: z.string(),
  marks: marks.exactOptional(),
};
const testOutcome = z.enum(['passed', 'failed']);
const rewritten = z.enum(['yes', 'maybe']).exactOptional();

const evidence = z.object({
  commands: z.array(
    z.object({ command: z.string(), outcome: z.enum(['ok', 'failed', 'cancelled']).nullable() }),
  ),
  tests: z.array(
    z.object({
      command: z.string(),
      before: testOutcome.nullable(),
      after: testOutcome,
      runnerLine: z.string().nullable(),
    }),
  ),
  commits: z.array(
    z.object({
      hash: z.string().nullable(),
      message: z.string(),
      branch: z.string().nullable().exactOptional(),
      unverified: z.literal(true).exactOptional(),
      rewritten,
    }),
  ),
  testsUnclear: z.boolean(),
  pushes: z.array(z.object({ branch: z.string(), hash: z.string().nullable(), rewritten })),
  pullRequests: z.array(z.object({ number: integer, address: z.string() })),
  rewroteHistory: z.boolean(),
  rewrites: z.array(
    z.object({
      commits: integer.nullable(),
      branch: z.string().nullable(),
      unpushed: z.literal(true).exactOptional(),
    }),
  ),
  quietCommits: integer.exactOptional(),
  listedCommits: texts.exactOptional(),
  deletedBranches: texts.exactOptional(),
  ended: z.array(z.object({ name: z.string(), from: z.string().nullable() })).exactOptional(),
  edits: z.object({
    files: texts,
    lines: z.array(integer.nullable()),
    earlier: texts.nullable(),
    listed: texts.nullable(),
    listedAs: z.array(z.enum(['changed', 'new', 'deleted', 'renamed'])),
    listedBefore: texts,
    incomplete: z.boolean(),
    discarded: texts,
    removed: texts,
    moved: z.array(z.tuple([z.string(), z.string()])),
    committed: z.boolean(),
  }),
  errors: z.array(z.object({ error: z.string(), command: z.string(), fixedBy: z.string().nullable() })),
  decisions: texts,
  lessons: texts,
  events: texts,
});

export const listedItems: { readonly [K in ListKind]: z.ZodType<ListedItems[K]> } = {
  session: z.object({
    id: z.string(),
    agent: z.string(),
    title: z.string().nullable(),
    project: z.string(),
    workdir: z.string(),
    branch: z.string().nullable(),
    startedAt: timeOrNull,
    endedAt: timeOrNull,
    endReason: z.string().nullable(),
    starts: integer,
    continuedIn: texts,
    turns: integer,
    counts,
    copies: integer,
    usage,
  }),
  turn: z.object({
    id: z.string(),
    session: z.string(),
    sessionTitle: z.string().nullable(),
    agent: z.string(),
    project: z.string(),
    startedAt: timeOrNull,
    endedAt: timeOrNull,
    prompt: z.object({ id: z.string(), title: z.string() }).nullable(),
    private: z.boolean(),
    forgotten: z.boolean(),
    inherited: z.boolean(),
    unfinished: z.boolean(),
    counts,
    usage,
  }),
  observation: z.object({
    ...ofTurn,
    part: integer,
    type: z.string(),
    unfinished: z.boolean(),
    subtitle: z.string(),
    narrative: z.string(),
    facts: texts,
    concepts: texts,
    filesRead: texts,
    filesModified: texts,
    evidence,
  }),
  summary: z.object({
    ...ofTurn,
    unfinished: z.boolean(),
    end: z.enum(['answered', 'stopped']).nullable(),
    request: z.string(),
    requestBy: z.enum(['person', 'agent']),
    investigated: z.string().nullable(),
    learned: z.string().nullable(),
    completed: z.string().nullable(),
    nextSteps: texts,
    notes: z.string().nullable(),
    files: texts,
  }),
  prompt: z.object({ ...ofTurn, text: z.string(), plan: z.boolean() }),
  memory: z.object({
    id: z.string(),
    session: z.string().nullable(),
    agent: z.string(),
    project: z.string(),
    at: timeOrNull,
    title: z.string(),
    marks: marks.exactOptional(),
    type: z.string().nullable(),
    text: z.string(),
    files: texts,
    concepts: texts,
  }),
};

const project = z.object({
  key: z.string(),
  name: z.string(),
  workdirs: texts,
  parents: texts,
  sessions: integer,
  documents,
  lastAt: timeOrNull,
});

export const projectsAnswer = z.object({ items: z.array(project) });

export const statsAnswer: z.ZodType<Stats> = z.object({
  events: integer,
  sessions: integer,
  turns: integer,
  counts,
  usage,
  documents,
  from: timeOrNull,
  to: timeOrNull,
  projects: z.array(project),
});
