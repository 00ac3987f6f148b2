// Events that a person or an agent records explicitly. Dedupe key: an id that the client generates once.
import * as z from 'zod';
import { flag, json, nullableInteger, nullableText } from './body-fields.ts';

export const memorySaved = z.looseObject({
  title: z.string(),
  text: z.string(),
  type: nullableText,
  /** The project as the caller named it; the projects view resolves it. */
  project: nullableText,
  cwd: nullableText,
  files: z.array(z.string()).default([]),
  concepts: z.array(z.string()).default([]),
  metadata: json.default(null),
  /** Who wrote the memory: user or agent. */
  author: z.enum(['user', 'agent']).default('user'),
  /** Index within one call; keeps the order of the memories saved by that call. */
  index: z.number().int().default(0),
});

/** A person links a workdir to a project by name. A later link of the same workdir wins (by occurredAt, then id). */
export const projectLinked = z.looseObject({ cwd: z.string(), project: z.string() });

/**
 * One report of a forgotten prompt: that one was submitted here, without a word of it. What the agent did for it stays in a
 * turn of its own, and does not come under the prompt before.
 */
const forgottenPrompt = z.looseObject({
  /** One of `ids`. */
  event: z.string(),
  /** The id of the prompt, which the reports of one prompt have in common. */
  prompt: z.string(),
  channel: z.enum(['hook', 'transcript', 'api', 'cli', 'import']),
  dedupeKey: z.string(),
  /** Unix ms. */
  at: nullableInteger,
  kind: z.enum(['prompt', 'command']),
  via: z.enum(['line', 'queue', 'attachment', 'hook']),
  uuid: nullableText,
  offset: nullableInteger,
  promptId: nullableText,
  promptUuid: nullableText,
  requestSession: nullableText,
});

export type ForgottenPrompt = z.infer<typeof forgottenPrompt>;

/**
 * A person had something forgotten. Contains ids and names, never any forgotten text. The log blanks the named events
 * in the batch of this event; later events that match one of `names` are not stored.
 */
export const memoryForgotten = z.looseObject({
  /** How the person selected it. The words of a query are not stored. */
  by: z.enum(['ids', 'session', 'project', 'query', 'before']),
  copies: flag,
  /** The blanked events, by session; `prompts` are those among them whose turn is not forgotten as a whole. */
  events: z
    .array(
      z.looseObject({
        agent: z.string(),
        session: nullableText,
        ids: z.array(z.string()),
        prompts: z.array(forgottenPrompt).optional(),
      }),
    )
    .default([]),
  /** Names that recognise a later report of the same thing (log/erase/forgotten-names.ts). */
  names: z.array(z.string()).default([]),
  /** Ids that users saw: of prompts, tool uses, turns, observations, sessions. */
  items: z.array(z.string()).default([]),
});
