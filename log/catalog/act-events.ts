// What a person did to something that is remembered: pinned it, put other words in its place, declared it superseded, took
// such an act back. And what an agent proposed to do, with the person's answer. An act names the events that its item was
// made from and holds the text that it acted on, so it stays valid when other rules make other items from these events.
// Dedupe key: an id that the client generates once. `session` of the envelope: the item's, so both are forgotten together.
import * as z from 'zod';
import { json, nullableInteger, nullableText } from './body-fields.ts';

/** The item that was acted on, as it was then. */
const actedItem = z.looseObject({
  id: z.string(),
  kind: z.enum(['prompt', 'answer', 'tool', 'memory', 'observation', 'summary', 'imported']),
  agent: z.string(),
  session: nullableText,
  turn: nullableText,
  workdir: z.string().default(''),
  at: nullableInteger,
  /** Whose words its text is. */
  author: z.enum(['user', 'agent', 'tool']).default('agent'),
  title: z.string(),
  text: z.string(),
  /** The events it was made from. */
  events: z.array(z.string()),
});
export type ActedItem = z.output<typeof actedItem>;

export const memoryPinned = z.looseObject({ item: actedItem });

/** The person's words, in place of the item's. */
export const memoryEdited = z.looseObject({ item: actedItem, title: z.string(), text: z.string() });

/** The item no longer holds. `by` is what holds instead; null for nothing. */
export const memorySuperseded = z.looseObject({ item: actedItem, by: actedItem.nullable().default(null) });

/** Takes earlier acts back: unpins, brings back the text from before an edit, lets a superseded item hold again. */
export const memoryWithdrawn = z.looseObject({
  /** Ids of the events of these acts, with the session of their envelope. */
  acts: z.array(z.looseObject({ id: z.string(), session: nullableText })),
});

/** What an agent would have a person do. It changes nothing until a person confirms it. */
export const memoryProposed = z.looseObject({
  act: z.enum(['pin', 'unpin', 'edit', 'unedit', 'supersede', 'unsupersede', 'note', 'forget']),
  item: actedItem.nullable().default(null),
  by: actedItem.nullable().default(null),
  /** Of an edit or a note. */
  title: nullableText,
  text: nullableText,
  /** Of forgetting: what to forget, as the library takes it. */
  selection: json.default(null),
  project: nullableText,
  cwd: nullableText,
  /** The name that the agent gave itself. */
  client: nullableText,
});

export const memoryConfirmed = z.looseObject({
  /** Id of the `memory.proposed` event. */
  proposal: z.string(),
  /** false: refused. */
  confirmed: z.boolean(),
});
