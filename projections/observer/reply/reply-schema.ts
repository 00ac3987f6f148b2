// The JSON form of a reply, for providers that enforce a schema. They bound neither lengths nor numbers, and may be wrong, so
// the form is checked again. By hand: this also runs where the views are built, and the schema library takes 60 ms to load.
import { type Json, parseJson } from '../../../log/index.ts';
import {
  OBSERVATIONS_MAX,
  observationOfParts,
  REPLY_CHARS_MAX,
  type Reply,
  replyOf,
  summaryOfParts,
} from './reply.ts';

type Fields = Readonly<Record<string, 'text' | 'list'>>;

const OBSERVATION: Fields = {
  type: 'text',
  title: 'text',
  subtitle: 'text',
  narrative: 'text',
  facts: 'list',
  concepts: 'list',
  files_read: 'list',
  files_modified: 'list',
};
const SUMMARY: Fields = {
  request: 'text',
  investigated: 'text',
  learned: 'text',
  completed: 'text',
  next_steps: 'text',
  notes: 'text',
};
const TEXT = { type: ['string', 'null'] };

const TOP = ['observations', 'summary', 'skip_summary'];

/** The names among which the model chooses. */
export interface ReplyTerms {
  readonly types: readonly string[];
  readonly concepts: readonly string[];
}

/** JSON schema: every field required, no others allowed, as providers want it. */
export function replySchema({ types, concepts }: ReplyTerms) {
  const observation = {
    ...propertiesOf(OBSERVATION),
    type: { ...TEXT, enum: [...types, null] },
    ...(concepts.length === 0 ? {} : { concepts: listOfTexts({ enum: [...concepts] }) }),
  };
  return objectSchema({
    observations: { type: 'array', items: objectSchema(observation) },
    summary: { anyOf: [objectSchema(propertiesOf(SUMMARY)), { type: 'null' }] },
    skip_summary: TEXT,
  });
}

function propertiesOf(fields: Fields): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => [name, kind === 'text' ? TEXT : listOfTexts()]),
  );
}

function listOfTexts(more: Readonly<Record<string, Json>> = {}) {
  return { type: 'array', items: { type: 'string', ...more } };
}

function objectSchema(properties: Readonly<Record<string, Json>>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/**
 * Never throws. A type or a concept that the schema does not name is kept as it came: services may return a name in other
 * capitals, and some ignore the schema.
 */
export function parseJsonReply(reply: string): Reply {
  if (reply.length > REPLY_CHARS_MAX)
    return { valid: false, reason: `The reply has more than ${REPLY_CHARS_MAX} characters.` };
  const parsed = parseJson(reply);
  if (!('value' in parsed))
    return { valid: false, reason: 'The reply is no JSON: it may have been cut off.' };
  try {
    return checkedReply(parsed.value);
  } catch (error) {
    if (!(error instanceof OtherForm)) throw error;
    return { valid: false, reason: `The reply has another form than the schema, at ${error.message}.` };
  }
}

function checkedReply(value: unknown): Reply {
  const { observations, summary, skip_summary: skip } = objectOf(value, 'its top', TOP);
  if (!Array.isArray(observations)) throw new OtherForm('observations');
  const all = observations.map((one, index) => fieldsOf(one, `observations.${index}`, OBSERVATION));
  const counted = all.slice(0, OBSERVATIONS_MAX);
  const summed = summary === null ? null : fieldsOf(summary, 'summary', SUMMARY).texts;
  const skipped = textOf(skip, 'skip_summary');
  return replyOf({
    observations: counted.map(({ texts, lists }) =>
      observationOfParts({
        type: texts.type!,
        title: texts.title!,
        subtitle: texts.subtitle!,
        narrative: texts.narrative!,
        facts: lists.facts!,
        concepts: lists.concepts!,
        filesRead: lists.files_read!,
        filesModified: lists.files_modified!,
      }),
    ),
    summary:
      summed === null
        ? undefined
        : summaryOfParts({
            request: summed.request!,
            investigated: summed.investigated!,
            learned: summed.learned!,
            completed: summed.completed!,
            nextSteps: summed.next_steps!,
            notes: summed.notes!,
          }),
    skipped: skipped === null ? null : { reason: skipped.trim() || null },
    problems: counted.length < all.length ? [`Only the first ${OBSERVATIONS_MAX} observations count.`] : [],
  });
}

/** Its message is the place. */
class OtherForm extends Error {}

function fieldsOf(value: unknown, place: string, fields: Fields) {
  const object = objectOf(value, place, Object.keys(fields));
  const texts: Record<string, string | null> = {};
  const lists: Record<string, readonly string[]> = {};
  for (const [name, kind] of Object.entries(fields))
    if (kind === 'text') texts[name] = textOf(object[name], `${place}.${name}`);
    else lists[name] = listOf(object[name], `${place}.${name}`);
  return { texts, lists };
}

function objectOf(
  value: unknown,
  place: string,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new OtherForm(place);
  const missing = names.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw new OtherForm(place === 'its top' ? missing : `${place}.${missing}`);
  if (Object.keys(value).length > names.length) throw new OtherForm(place);
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown, place: string): string | null {
  if (value !== null && typeof value !== 'string') throw new OtherForm(place);
  return value;
}

function listOf(value: unknown, place: string): readonly string[] {
  if (!Array.isArray(value)) throw new OtherForm(place);
  value.forEach((item, index) => {
    if (typeof item !== 'string') throw new OtherForm(`${place}.${index}`);
  });
  return value as readonly string[];
}
