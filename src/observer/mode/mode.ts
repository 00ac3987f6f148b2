// A mode says what is worth remembering: a JSON file that a person can write. It is part of the recipe, so that readings of
// different modes are never taken for each other.
import * as z from 'zod';

const name = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'lower-case letters, digits and hyphens, at most 40');
const term = z.strictObject({
  name,
  /** When it applies, in a few words. */
  description: z.string().trim().min(1).max(300),
});

export const modeSchema = z
  .strictObject({
    name,
    /** For `annals mode list`. */
    description: z.string().trim().min(1).max(300),
    /** Of an observation; the model chooses one. */
    types: z.array(term).min(1).max(20),
    concepts: z.array(term).max(20),
    /** What matters here, one sentence each. */
    guidance: z.array(z.string().trim().min(1).max(500)).max(20).default([]),
    /** What is not worth an observation. */
    skip: z.array(z.string().trim().min(1).max(500)).max(20).default([]),
    verbosity: z.enum(['minimal', 'normal', 'verbose']).default('normal'),
    /** In which language the model writes, as a person calls it; null: that of the request. */
    language: z.string().trim().min(1).max(40).nullable().default(null),
  })
  .superRefine(({ types, concepts }, context) => {
    for (const [field, terms] of Object.entries({ types, concepts }))
      for (const [index, one] of terms.entries())
        if (terms.findIndex((other) => other.name === one.name) < index)
          context.addIssue({
            code: 'custom',
            path: [field, index, 'name'],
            message: `is listed twice: ${one.name}`,
          });
  });

export type Mode = z.output<typeof modeSchema>;
