// A mode says what is worth remembering: a JSON file that a person can write. It is part of the recipe, so that readings of
// different modes are never taken for each other.
import * as z from 'zod';

const MODE_NAME_FORM = 'small letters, digits and hyphens, beginning with a letter, at most 40 characters';
const TERM_NAME_FORM =
  'small letters of any language, digits and hyphens, beginning with a letter, at most 40 characters';
const VERBOSITIES = ['minimal', 'normal', 'verbose'] as const;

const modeName = textOf(MODE_NAME_FORM).regex(/^[a-z][a-z0-9-]{0,39}$/, MODE_NAME_FORM);
const termName = textOf(TERM_NAME_FORM).regex(
  /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{M}\d-]{0,39}$/u,
  TERM_NAME_FORM,
);

export const modeSchema = strict({
  name: modeName,
  /** For `annals mode list`. */
  description: sentence(300),
  /** Of an observation; the model chooses one. */
  types: terms(1),
  concepts: terms(0),
  /** What matters here, one sentence each. */
  guidance: sentences().default([]),
  /** What is not worth an observation. */
  skip: sentences().default([]),
  verbosity: z.enum(VERBOSITIES, { error: VERBOSITIES.join(', ') }).default('normal'),
  /** In which language the model writes, as a person calls it; null: that of the request. */
  language: sentence(40).nullable().default(null),
});

export type Mode = z.output<typeof modeSchema>;

function textOf(form: string) {
  return z.string({ error: form });
}

function sentence(charsMax: number) {
  const form = `a text of 1 to ${charsMax} characters`;
  return textOf(form).trim().min(1, form).max(charsMax, form);
}

function sentences() {
  const form = 'a list of at most 20 sentences';
  return z.array(sentence(500), { error: form }).max(20, form);
}

/** Each name once. */
function terms(least: 0 | 1) {
  const form = `a list of ${least} to 20 objects with name and description`;
  return z
    .array(strict({ name: termName, description: sentence(300) }), { error: form })
    .min(least, form)
    .max(20, form)
    .superRefine((all, context) => {
      for (const [index, { name }] of all.entries())
        if (all.findIndex((other) => other.name === name) < index)
          context.addIssue({ code: 'custom', path: [index, 'name'], message: 'each name once' });
    });
}

/** An object without other fields. */
function strict<T extends z.core.$ZodShape>(shape: T) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known : `an object with ${known}`),
  });
}
