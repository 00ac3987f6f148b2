// Schemas of forgetting, settings and status.
import * as z from 'zod';
import type { ForgetPlan, ForgetReport } from '../../api.ts';
import { timeOrNull } from './reading.ts';

const texts = z.array(z.string());
const integer = z.number().int();

const groups = z.array(z.object({ kind: z.string(), count: integer, bytes: integer }));
const things = z.array(
  z.object({
    id: z.string(),
    kind: z.string(),
    title: z.string(),
    project: z.string().nullable(),
    session: z.string().nullable(),
    at: timeOrNull,
    matched: z.object({ before: z.string(), text: z.string(), after: z.string() }).nullable(),
  }),
);

export const forgetPlan: z.ZodType<ForgetPlan> = z.object({
  by: z.enum(['ids', 'session', 'project', 'query', 'before']),
  events: integer,
  bytes: integer,
  sessions: integer,
  kinds: groups,
  items: integer,
  things,
  same: z.object({ included: z.boolean(), events: integer, sessions: integer }),
  copies: z.object({ included: z.boolean(), events: integer, kinds: groups, items: integer, things }),
  derived: integer,
  spoolFiles: integer,
  team: z.boolean(),
});

export const forgetReport: z.ZodType<ForgetReport> = z.object({
  outcome: z.enum(['forgotten', 'shown', 'declined', 'nothing']),
  id: z.string().nullable(),
  at: timeOrNull,
  plan: forgetPlan,
  proof: z
    .object({
      ok: z.boolean().nullable(),
      needles: texts,
      files: integer,
      bytes: integer,
      found: z.array(z.object({ needle: z.string(), file: z.string() })),
      unreadable: integer,
      control: z.object({ text: z.string(), found: z.boolean() }),
    })
    .nullable(),
  ms: z.number(),
});

export const forgetSelection = z
  .strictObject({
    ids: z.array(z.string().min(1).max(500)).min(1).max(1_000).exactOptional(),
    session: z.string().min(1).max(500).exactOptional(),
    project: z.string().min(1).max(500).exactOptional(),
    query: z.string().min(1).max(10_000).exactOptional(),
    before: z.union([z.string().min(1).max(100), integer]).exactOptional(),
  })
  .refine((selection) => Object.keys(selection).length === 1, 'Name what to forget in exactly one way.');

export const setting = z.object({
  name: z.string(),
  value: z.unknown(),
  source: z.enum(['default', 'file', 'environment']),
  default: z.unknown(),
  variable: z.string().nullable(),
  about: z.string(),
});

/** Fields of the library's status are documented in docs/json.md; new ones appear here without a change. */
export const statusAnswer = z.looseObject({
  home: z.string(),
  log: z.object({ events: integer, head: integer, bytes: integer }),
  views: z.array(z.object({ name: z.string(), version: integer, position: integer, lag: integer })),
  degraded: texts,
  queues: z.object({
    spool: integer.describe('Files of hooks that wait.'),
    projection: integer.describe('Events that the slowest view is behind.'),
  }),
  streams: integer.describe('Open streams.'),
  process: z.record(z.string(), z.unknown()).describe('The worker.'),
});
