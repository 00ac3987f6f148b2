// What a person or an agent says on purpose. Dedupe key: an id made once by the client.
import * as z from 'zod';
import { flag, json, nullableText } from './body-fields.ts';

export const memorySaved = z.looseObject({
  title: z.string(),
  text: z.string(),
  type: nullableText,
  /** As the caller named it; resolved by the projects view. */
  project: nullableText,
  cwd: nullableText,
  files: z.array(z.string()).default([]),
  concepts: z.array(z.string()).default([]),
  metadata: json.default(null),
  /** Who speaks: user or agent. */
  author: z.enum(['user', 'agent']).default('user'),
  /** Index within one call, so that saves of one call keep their order. */
  index: z.number().int().default(0),
});

/** A person joins a place to a project by name. Later links of the same place win (by occurredAt, then id). */
export const projectLinked = z.looseObject({ cwd: z.string(), project: z.string() });

/**
 * A person had something forgotten. Holds ids and names, never a word of what was forgotten. The log blanks the
 * events it names in the batch in which it is written; what is told later under one of `names` is not kept.
 */
export const memoryForgotten = z.looseObject({
  /** How it was chosen. The words of a query are not kept. */
  by: z.enum(['ids', 'session', 'project', 'query', 'before']),
  copies: flag,
  /** The blanked events, by the session they stand in. */
  events: z
    .array(z.looseObject({ agent: z.string(), session: nullableText, ids: z.array(z.string()) }))
    .default([]),
  /** Under which the same thing might be told again (log/erase/forgotten-names.ts). */
  names: z.array(z.string()).default([]),
  /** Under which people knew it: ids of prompts, tool uses, turns, observations, sessions. */
  items: z.array(z.string()).default([]),
});
