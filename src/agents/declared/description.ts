// The description of an agent: a JSON file that says where its transcripts are and how to read their lines. Documented
// in docs/agents.md.
import * as z from 'zod';
import { parseFieldPath } from './field-path.ts';

const PATH_FORM =
  'a field path such as "message.content[].text": names joined by dots, "[]" behind a name for every value of a list, ' +
  'a dot before it for the item of "each", "$." before it for the whole document';

const path = z
  .string({ error: PATH_FORM })
  .refine((text) => parseFieldPath(text) !== null, { error: PATH_FORM });
/** One path, or several: the first that has a value counts. */
const FIELD_FORM = `${PATH_FORM}; or a list of 1 to 8 such paths`;
const field = z.union([path, z.array(path).min(1, FIELD_FORM).max(8, FIELD_FORM)], { error: FIELD_FORM });

const VALUE_FORM =
  'a text, a number, true, false, null (which a missing field has too), a list of 1 to 50 of those, or {"not": …} of them for ' +
  'a field that has another value';
const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const values = z.union([value, z.array(value).min(1, VALUE_FORM).max(50, VALUE_FORM)]);
const condition = z.union([values, z.strictObject({ not: values })], { error: VALUE_FORM });
const conditions = z.record(path, condition, {
  error: (issue) =>
    issue.code === 'invalid_key' ? PATH_FORM : 'an object with a field path and its value for each condition',
});

/** An object without other fields. */
function strict<T extends z.core.$ZodShape>(shape: T) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known : `an object with ${known}`),
  });
}

const common = { at: field.optional(), cwd: field.optional(), turn: field.optional() };
const usage = strict({
  input: field.optional(),
  output: field.optional(),
  cacheRead: field.optional(),
  cacheCreation: field.optional(),
  inputHoldsCached: z.boolean({ error: 'true or false' }).optional(),
});
const each = path.optional();
const REASON_FORM = 'a few words, at most 60 characters';

const RECORDS = ['session', 'prompt', 'reply', 'call', 'result', 'none'] as const;
const rule = <N extends (typeof RECORDS)[number]>(record: N) => ({
  record: z.literal(record),
  when: conditions,
  ...common,
});
const optional = field.optional();

const rules = z.discriminatedUnion(
  'record',
  [
    strict({ ...rule('session'), id: field, model: optional, branch: optional, version: optional }),
    strict({ ...rule('prompt'), each, id: optional, text: field }),
    strict({ ...rule('reply'), each, id: optional, text: field, model: optional, usage: usage.optional() }),
    strict({ ...rule('call'), each, id: optional, name: field, input: optional, model: optional }),
    strict({
      ...rule('result'),
      each,
      id: optional,
      text: optional,
      failed: conditions.optional(),
      cancelled: conditions.optional(),
    }),
    strict({
      record: z.literal('none'),
      when: conditions,
      reason: z.string({ error: REASON_FORM }).min(1, REASON_FORM).max(60, REASON_FORM).optional(),
    }),
  ],
  { error: RECORDS.map((name) => `"${name}"`).join(', ') },
);

const ENTRIES_FORM = 'the path of a list, with "[]" at its end, such as "messages[]"';
const NAME_FORM = 'small letters, digits and hyphens, beginning with a letter, at most 32 characters';
const TITLE_FORM = 'the name as people write it, at most 40 characters';
const GLOB_FORM = 'a glob for the files below the folders, such as "**/*.jsonl"';
const TAG_FORM = 'a list of names of tags, without < and >';
const RULES_FORM = 'a list of 1 to 50 rules';
const FOLDERS_FORM = 'a list of 1 to 8 folders';

export const descriptionSchema = strict({
  name: z.string({ error: NAME_FORM }).regex(/^[a-z][a-z0-9-]{0,31}$/, NAME_FORM),
  title: z.string({ error: TITLE_FORM }).trim().min(1, TITLE_FORM).max(40, TITLE_FORM),
  /** `~/` is the user's home folder. */
  folders: z
    .array(z.string({ error: FOLDERS_FORM }), { error: FOLDERS_FORM })
    .min(1, FOLDERS_FORM)
    .max(8, FOLDERS_FORM),
  files: z.string({ error: GLOB_FORM }).min(1, GLOB_FORM).max(200, GLOB_FORM).default('**/*.jsonl'),
  form: z.enum(['lines', 'document'], { error: '"lines" or "document"' }).default('lines'),
  /** The parts of a document that are read like lines. */
  entries: path.refine((text) => text.endsWith('[]'), { error: ENTRIES_FORM }).optional(),
  /** What one of the first lines of each transcript fulfils. */
  recognise: conditions.optional(),
  /** Names a line that no rule is for. */
  kind: field.optional(),
  /** Tags around text that a program put into prompts. */
  injected: z
    .array(z.string({ error: TAG_FORM }).regex(/^[A-Za-z][\w.-]{0,63}$/, TAG_FORM), { error: TAG_FORM })
    .max(50, TAG_FORM)
    .default([]),
  /** Fields of each record. */
  every: strict({ session: field.optional(), ...common }).default({}),
  rules: z.array(rules, { error: RULES_FORM }).min(1, RULES_FORM).max(50, RULES_FORM),
});

export type Description = z.output<typeof descriptionSchema>;
export type Rule = Description['rules'][number];
export type Conditions = Rule['when'];
/** A path, or a list of paths: the first one with a value counts. */
export type Field = string | readonly string[];
