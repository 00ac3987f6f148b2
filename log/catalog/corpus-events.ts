// Named collections of memories. An event holds which ones, never their text: what is forgotten is then gone from every
// corpus. `agent` is annals, without a session. Dedupe key: the name and the time.
import * as z from 'zod';

/** A later event about the same name wins (by occurredAt, then id). */
export const corpusBuilt = z.looseObject({
  name: z.string(),
  /** Words and operators, as in a search. */
  query: z.string(),
  /** At most so many members. */
  limit: z.number().int(),
  /** Ids of documents, in the order of their text. */
  members: z.array(z.string()),
  /** How many documents the query found. */
  matched: z.number().int(),
});

export const corpusDeleted = z.looseObject({ name: z.string() });
