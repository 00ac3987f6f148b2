// What the catalogue of events means, in words. A type without a note does not compile; a body's fields are
// read from its schema, so a new field is in the documentation as soon as the page is made again.
import * as z from 'zod';
import type { EventType } from '../../../log/index.ts';

export interface EventNote {
  readonly what: string;
  readonly dedupeKey: string;
}

export const EVENT_NOTES: Readonly<Record<EventType, EventNote>> = {
  'session.started': {
    what: 'A session began, or began again: resumed, cleared, compacted, forked.',
    dedupeKey: 'the source and the uuid of the first line after it',
  },
  'session.ended': { what: 'A session came to its end.', dedupeKey: 'the reason and the line that says so' },
  'session.continued': {
    what: 'The agent goes on under a new session id.',
    dedupeKey: 'the new session id',
  },
  'session.titled': {
    what: 'A session was given a title by a person, by the agent or by a summary.',
    dedupeKey: 'who gave it and where it first stands',
  },
  'prompt.submitted': {
    what: 'A person asked for something, or called a slash command.',
    dedupeKey:
      "the witness's own name for it: a line's uuid, the place of a queue operation, a hook's prompt id",
  },
  'tool.used': {
    what: 'The agent used a tool, and the outcome is known.',
    dedupeKey: 'the tool use id',
  },
  'tool.unanswered': {
    what: 'A tool use that had no result when its session moved on. A `tool.used` of the same id replaces it.',
    dedupeKey: 'the tool use id',
  },
  'agent.replied': {
    what: 'The agent said something: one block of one message.',
    dedupeKey: 'the uuid of the line',
  },
  'agent.stopped': {
    what: 'The agent stopped: done, interrupted or failed.',
    dedupeKey: 'the line or the hook that says so',
  },
  'workdir.seen': {
    what: 'A folder and the repository around it, as this machine saw them. Written only when that changes.',
    dedupeKey: 'a digest of what was seen',
  },
  'memory.saved': {
    what: 'A person or an agent kept something on purpose.',
    dedupeKey: 'an id made once by the client',
  },
  'memory.forgotten': {
    what: 'A person had something forgotten: the events it names have lost their bodies, and what it names is not taken again.',
    dedupeKey: 'an id made once by the client',
  },
  'project.linked': {
    what: 'A person joined a place to a project by name.',
    dedupeKey: 'an id made once by the client',
  },
  'vectors.computed': {
    what: 'An embedding model made vectors of documents. Told once, so that no replay asks or pays for them again.',
    dedupeKey: "a digest of the recipe, the documents' ids and the salted digests of their texts",
  },
};

export interface FieldNote {
  readonly name: string;
  readonly type: string;
  /** What stands there when nobody said it. */
  readonly absent: string;
}

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly FieldSchema[];
  readonly items?: FieldSchema;
  readonly default?: unknown;
  readonly $ref?: string;
}

export function fieldsOf(body: z.ZodType): readonly FieldNote[] {
  const schema = z.toJSONSchema(body, { io: 'output', unrepresentable: 'any' });
  const fields = Object.entries((schema.properties ?? {}) as Readonly<Record<string, FieldSchema>>);
  return fields.map(([name, field]) => ({
    name,
    type: typeText(field),
    absent: field.default === undefined ? 'required' : `\`${JSON.stringify(field.default)}\``,
  }));
}

function typeText(field: FieldSchema): string {
  if (field.enum !== undefined) return field.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (field.anyOf !== undefined) return orOf(field.anyOf);
  if (typeof field.type === 'object') return orOf(field.type.map((type) => ({ type })));
  if (field.type === 'array') return `list of ${typeText(field.items ?? {})}`;
  if (field.type === 'string') return 'text';
  if (field.type === 'integer') return 'whole number';
  if (field.type === 'boolean') return 'yes or no';
  return field.type ?? 'any JSON';
}

function orOf(fields: readonly FieldSchema[]): string {
  const said = fields.filter(({ type }) => type !== 'null').map(typeText);
  return said.length > 2 ? 'any JSON' : [...new Set(said)].join(' or ');
}
