// What a person or an agent says on purpose. Fact key: an id made once by the client.
import * as z from 'zod';
import { json, text } from './fields.ts';

export const memorySaved = z.looseObject({
  title: z.string(),
  text: z.string(),
  type: text,
  /** As the caller named it; resolved by the projects view. */
  project: text,
  cwd: text,
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
