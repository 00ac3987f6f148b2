// What Annals gave to a session. Dedupe key: the name of the spool file that reported the session's start, or an id that is
// made once.
import * as z from 'zod';
import { nullableInteger, nullableText } from './body-fields.ts';

const texts = z.array(z.string()).default([]);

/** Holds no text, only ids, and the names of the files and commands in it. */
export const contextInjected = z.looseObject({
  /** How a session started (startup, resume, clear, compact, fork), or prompt, read, edit, error. */
  occasion: z.string(),
  cwd: nullableText,
  /** Null if they are not known. */
  items: z
    .array(
      z.looseObject({
        id: z.string(),
        /** Some of the events that it was made from: enough to find it again when the rules have changed. */
        events: texts,
        /** Files that the text names for this item, and commands. */
        files: texts,
        commands: texts,
      }),
    )
    .nullable()
    .default(null),
  tokens: nullableInteger,
  /** How long it took to make, ms. */
  durationMs: nullableInteger,
  /** sha-256 of the text, hex. Forgetting one of the items blanks this event, so that the hash cannot confirm a guess. */
  hash: nullableText,
});
