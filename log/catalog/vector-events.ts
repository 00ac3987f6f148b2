// What an embedding model made of documents: it was paid for, or cannot be made again bit by bit, so it is an event and
// a replay asks nobody. Dedupe key: a digest of the recipe, the documents' ids and the salted digests of their texts.
import * as z from 'zod';
import { nullableInteger } from './body-fields.ts';

/** The vectors of some documents of one session, which it is told under: they go when the session is forgotten. */
export const vectorsComputed = z.looseObject({
  /** Names all that a vector depends on beside its text; vectors of different recipes are never compared. */
  recipe: z.string(),
  dim: z.number().int(),
  /** Of the digests below, hex; random, so that blanking the body leaves nothing to try texts against. */
  salt: z.string(),
  documents: z.array(
    z.looseObject({
      /** The document's id in the `memory` view. */
      id: z.string(),
      /** sha-256 over salt and text, the first 32 hex digits. */
      input: z.string(),
      /** base64 of a float32, little-endian, and `dim` int8: what they are multiplied by, and the numbers. */
      vector: z.string(),
    }),
  ),
  /** Tokens that the service said it counted for these and what was asked with them. */
  tokens: nullableInteger,
});
