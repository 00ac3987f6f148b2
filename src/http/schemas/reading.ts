// Schemas of what reading calls answer. They are the types of src/api as data.
import * as z from 'zod';
import type {
  AsOfReport,
  ContextAnswer,
  ReceiptsAnswer,
  SearchAnswer,
  ShownItem,
  TimelineAnswer,
  Verification,
  Why,
} from '../../api.ts';

const texts = z.array(z.string());
export const time = z.string().describe('ISO 8601, UTC.');
export const timeOrNull = time.nullable();

const documentKind = z.enum(['prompt', 'answer', 'tool', 'memory', 'observation', 'summary', 'imported']);

/** What a person did to an item. */
export const marks = z.object({
  pinned: z.object({ at: timeOrNull }).exactOptional(),
  edited: z.object({ at: timeOrNull }).exactOptional(),
  superseded: z
    .object({ at: timeOrNull, by: z.object({ id: z.string(), title: z.string() }).nullable() })
    .exactOptional(),
});

export const asOf: z.ZodType<AsOfReport> = z.object({
  position: z.number().int().nullable(),
  time: timeOrNull,
  head: z.number().int(),
  ms: z.number(),
});

const shares = z.object({
  words: z.number(),
  meaning: z.number(),
  session: z.number(),
  named: z.number(),
  length: z.number(),
  questionPenalty: z.number(),
  termCoverage: z.number(),
  answering: z.number(),
  answerKind: z.number(),
  nearby: z.number(),
  time: z.number(),
  bigrams: z.number(),
});

const searchPart = { id: z.string(), kind: documentKind, type: z.string().nullable() };

export const searchAnswer: z.ZodType<SearchAnswer> = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      kind: documentKind,
      type: z.string().nullable(),
      outcome: z.enum(['ok', 'failed', 'cancelled']).nullable().describe('How a tool use ended.'),
      author: z.literal('agent').exactOptional(),
      marks: marks.exactOptional(),
      title: z.string(),
      project: z.string(),
      session: z.string().nullable(),
      at: timeOrNull,
      score: z.number(),
      snippet: z.string(),
      decisions: z
        .array(z.object({ by: z.enum(['person', 'agent']), text: z.string() }))
        .exactOptional()
        .describe('What was decided in its turn. Present if type:decision found it for that.'),
      tokens: z.number().int(),
      turn: z.string().nullable(),
      parts: z.array(z.object(searchPart)),
      statement: z
        .object({ ...searchPart, text: z.string() })
        .exactOptional()
        .describe(
          'Present if the result only asks or announces, and another part of its turn states something.',
        ),
      nearDuplicates: texts,
      shares: shares.nullable().exactOptional(),
    }),
  ),
  query: z.object({
    text: z.string(),
    phrases: texts,
    without: texts,
    conditions: z.array(
      z.object({ field: z.string(), value: z.union([z.string(), z.number()]), not: z.boolean() }),
    ),
    times: z.array(z.object({ first: time, last: time })),
  }),
  lowConfidence: z.boolean(),
  degraded: texts,
  hints: texts
    .exactOptional()
    .describe(
      'Present if nothing has a type that was excluded, or nothing was found because nothing has a type, concept or agent.',
    ),
  ms: z.number(),
  asOf: asOf.exactOptional(),
});

export const timelineAnswer: z.ZodType<TimelineAnswer> = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['prompt', 'answer', 'tool', 'memory', 'observation', 'summary', 'session', 'turn']),
      type: z.string().nullable(),
      author: z.literal('agent').exactOptional(),
      marks: marks.exactOptional(),
      title: z.string(),
      project: z.string(),
      session: z.string().nullable(),
      at: timeOrNull,
    }),
  ),
  degraded: texts,
  asOf: asOf.exactOptional(),
});

export const shownItem = z.object({
  id: z.string(),
  kind: z.enum([
    'prompt',
    'answer',
    'tool',
    'memory',
    'observation',
    'summary',
    'imported',
    'session',
    'turn',
    'event',
  ]),
  type: z.string().nullable(),
  marks: marks.exactOptional(),
  title: z.string(),
  text: z.string(),
  project: z.string().nullable(),
  session: z.string().nullable(),
  agent: z.string(),
  at: timeOrNull,
  files: texts,
  events: texts,
  details: z.unknown().describe('By kind: docs/json.md.'),
  asOf: asOf.exactOptional(),
}) as z.ZodType<ShownItem>;

export const whyAnswer = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.string(),
  steps: texts,
  events: z.array(
    z.object({
      id: z.string(),
      position: z.number().int(),
      type: z.string(),
      version: z.number().int(),
      agent: z.string(),
      session: z.string().nullable(),
      dedupeKey: z.string(),
      channel: z.string(),
      origin: z.string(),
      originSeq: z.number().int(),
      occurredAt: z.number().nullable().describe('Unix ms.'),
      recordedAt: z.number().describe('Unix ms.'),
      causation: z.string().nullable(),
      body: z.unknown().describe('By type: docs/events.md.'),
    }),
  ),
}) as unknown as z.ZodType<Why>;

export const contextAnswer: z.ZodType<ContextAnswer> = z.object({
  text: z.string(),
  personText: z.string().exactOptional(),
  leftOut: z
    .array(z.object({ section: z.string(), id: z.string().nullable(), text: z.string() }))
    .exactOptional(),
  tokens: z.number().int(),
  project: z.string(),
  items: z.array(z.object({ id: z.string(), events: texts, files: texts, commands: texts })),
  degraded: texts,
  pausedBecause: z.string().nullable(),
  asOf: asOf.exactOptional(),
});

const receiptFigures = {
  injections: z.number().int(),
  unknown: z.number().int(),
  tokens: z.number().int(),
  ms: z.number().nullable(),
  shown: z.number().int(),
  used: z.number().int(),
};

const receiptItem = z.object({
  id: z.string(),
  title: z.string().nullable(),
  shown: z.number().int(),
  used: z.number().int(),
  cited: z.number().int(),
  fixed: z.number().int(),
  opened: z.number().int(),
});
const receiptItems = z.array(receiptItem);

export const receiptsAnswer: z.ZodType<ReceiptsAnswer> = z.object({
  projects: z.array(
    z.object({
      project: z.string(),
      ...receiptFigures,
      occasions: z.array(z.object({ occasion: z.string(), ...receiptFigures })),
      items: z.object({
        shown: z.number().int(),
        used: z.number().int(),
        neverUsed: z.number().int(),
      }),
      mostUsed: receiptItems,
      neverUsed: receiptItems,
    }),
  ),
  item: receiptItem.nullable().exactOptional(),
  degraded: texts,
});

export const viewReports = z.object({
  views: z.array(
    z.object({ name: z.string(), events: z.number().int(), ms: z.number(), digest: z.string() }),
  ),
});

export const verification: z.ZodType<Verification> = z.object({
  ok: z.boolean(),
  events: z.number().int(),
  problems: z.array(
    z.object({ kind: z.string(), position: z.number().int().nullable(), message: z.string() }),
  ) as unknown as z.ZodType<Verification['problems']>,
  views: z
    .array(
      z.object({
        name: z.string(),
        events: z.number().int(),
        ms: z.number(),
        live: z.string(),
        rebuilt: z.string(),
        equal: z.boolean(),
      }),
    )
    .exactOptional(),
});
