// Vectors that an embedding model computed. They cost money or cannot be reproduced bit by bit, so they are events and
// a replay calls no model. Dedupe key: a digest of the recipe, the documents' ids and the salted digests of their texts.
import * as z from 'zod';
import { nullableInteger } from './body-fields.ts';

/** The vectors of some documents of one session. They belong to that session, so forgetting it removes them. */
export const vectorsComputed = z.looseObject({
  /** Everything that a vector depends on besides its text; vectors of different recipes are never compared. */
  recipe: z.string(),
  dim: z.number().int(),
  /** Random salt of the digests below, hex. It is gone when the body is blanked, so no text can be tested against them. */
  salt: z.string(),
  documents: z.array(
    z.looseObject({
      /** The document's id in the `memory` view. */
      id: z.string(),
      /** sha-256 over salt and text, the first 32 hex digits. */
      input: z.string(),
      /** base64 of a float32 scale, little-endian, and `dim` int8 values. */
      vector: z.string(),
    }),
  ),
  /** Tokens that the service reported for the request that computed these vectors. */
  tokens: nullableInteger,
});
