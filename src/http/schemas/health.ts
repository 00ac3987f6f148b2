// Schemas of the state of the installation.
import * as z from 'zod';
import type { Growth, ObserverCost } from '../../api.ts';

const integer = z.number().int();

export const diagnosisAnswer = z.object({
  ok: z.boolean().describe('No problems; there may be warnings.'),
  checks: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['ok', 'warning', 'problem']),
      message: z.string(),
      advice: z.string().nullable(),
      figures: z
        .record(z.string(), z.number())
        .nullable()
        .describe('What was measured; the names say the unit.'),
      ms: z.number().describe('How long its check took.'),
    }),
  ),
});

export const recordingAnswer = z.object({
  state: z
    .enum(['on', 'transcripts', 'off', 'failing'])
    .describe(
      '`transcripts`: no hooks, but the worker reads transcripts. `off`: neither. `failing`: it should be recorded, and is not.',
    ),
  problems: z.array(z.object({ message: z.string(), advice: z.string().nullable() })),
  agents: z
    .array(z.object({ title: z.string(), recorded: z.boolean().describe('Its hooks write to this home.') }))
    .describe('Those on this machine.'),
});

export type Recording = z.infer<typeof recordingAnswer>;

export const growthAnswer: z.ZodType<Growth> = z.object({
  days: z.array(z.object({ day: z.string().describe('UTC.'), events: integer, bytes: integer })),
  events: integer,
  sampled: integer.describe('Fewer than `events`: the days are estimates.'),
});

const spent = { usd: z.number(), tokens: integer, calls: integer };

export const costAnswer: z.ZodType<ObserverCost> = z.object({
  lastDay: z.object(spent).describe('The last 24 hours.'),
  budget: z.object({ usdPerDay: z.number().nullable(), left: z.number().nullable() }),
  days: z.array(z.object({ day: z.string().describe('UTC.'), ...spent })),
  models: z.array(z.object({ model: z.string(), ...spent })),
  projects: z.array(z.object({ project: z.string(), ...spent })),
});
