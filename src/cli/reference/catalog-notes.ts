// Describes each event type for docs/events.md. A type without a note does not compile. The fields of a body are read
// from its schema, so a new field appears when the page is generated again.
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
  'session.ended': { what: 'A session ended.', dedupeKey: 'the reason and the line that reports it' },
  'session.continued': {
    what: 'The agent continues under a new session id.',
    dedupeKey: 'the new session id',
  },
  'session.titled': {
    what: 'A session got a title from a person, the agent or a summary.',
    dedupeKey: 'who gave it and where it first appears',
  },
  'prompt.submitted': {
    what: 'A person asked for something, or called a slash command.',
    dedupeKey:
      "the channel's own name for it: a line's uuid, the place of a queue operation, or the name of a hook's spool file",
  },
  'tool.used': {
    what: 'The agent used a tool, and that has ended.',
    dedupeKey: 'the tool use id',
  },
  'tool.unanswered': {
    what: 'A tool use that had no result when its session moved on. A `tool.used` of the same id replaces it.',
    dedupeKey: 'the tool use id',
  },
  'agent.replied': {
    what: 'The agent wrote something: one block of one message.',
    dedupeKey: 'the uuid of the line',
  },
  'agent.stopped': {
    what: 'The agent stopped: done, interrupted or failed.',
    dedupeKey: 'the line or the hook that reports it',
  },
  'workdir.seen': {
    what: 'A folder and the repository around it, as this machine saw them. Written only when they change.',
    dedupeKey: 'random',
  },
  'memory.saved': {
    what: 'A person or an agent saved something on purpose.',
    dedupeKey: 'an id made once by the client',
  },
  'memory.forgotten': {
    what: 'A person forgot something. The events it names have lost their bodies, and what it names is not stored again. `prompts` of `events` says where prompts were whose turns stay, without a word of them.',
    dedupeKey: 'an id made once by the client',
  },
  'memory.pinned': {
    what: 'A person pinned something: every session of its project starts with it.',
    dedupeKey: 'an id made once by the client',
  },
  'memory.edited': {
    what: "A person put other words in the place of something's own.",
    dedupeKey: 'an id made once by the client',
  },
  'memory.superseded': {
    what: 'A person declared that something no longer holds, and what holds instead.',
    dedupeKey: 'an id made once by the client',
  },
  'memory.withdrawn': {
    what: 'A person took earlier pins, edits or supersessions back.',
    dedupeKey: 'an id made once by the client',
  },
  'memory.proposed': {
    what: 'An agent proposed what only a person may do. It changes nothing by itself.',
    dedupeKey: 'an id made once by the client',
  },
  'memory.confirmed': {
    what: 'A person confirmed or refused what an agent proposed.',
    dedupeKey: 'an id made once by the client',
  },
  'import.memory': {
    what: 'Another tool remembered this, and it was imported from there.',
    dedupeKey:
      'a digest of the tool, its database or folder and the original id; and the number of the version',
  },
  'project.linked': {
    what: 'A person linked a workdir to a project by name.',
    dedupeKey: 'an id made once by the client',
  },
  'vectors.computed': {
    what: 'An embedding model made vectors of documents. Stored once, so that no replay asks or pays for them again.',
    dedupeKey: "a digest of the recipe, the documents' ids and the salted digests of their texts",
  },
  'context.injected': {
    what: 'A session was given memories: when it started, or at a prompt, a file or an error. Holds which items, not their text.',
    dedupeKey:
      "the name of the spool file that reported the session's start, or an id made once by the client",
  },
  'observer.asked': {
    what: 'A model is about to be asked what a turn came to, or a question about a corpus. On disk before the request leaves. When that turn or corpus is forgotten, the request is recorded again without it: `covers` is empty, `worstUsd` and `worstTokens` are what it cost, and the dedupe key is the id of the forgotten event and `spent`.',
    dedupeKey:
      'the recipe, the number of the attempt and a digest of the covered events; of a corpus, a digest of its text and the question',
  },
  'observer.sent': {
    what: 'A service took a batch of requests. Its name of the batch, by which the answers are fetched.',
    dedupeKey: 'the batch as its requests name it, and `sent`',
  },
  'observer.replied': {
    what: 'The model answered. The text as it came, and what it cost.',
    dedupeKey: 'that of the request, and `replied`',
  },
  'observer.failed': {
    what: 'The request failed, and why.',
    dedupeKey: 'that of the request, and `failed`',
  },
  'observer.chosen': {
    what: 'A person chose from which recipe the memory speaks.',
    dedupeKey: 'an id made once by the client',
  },
  'observer.switched': {
    what: 'A person paused the observer, resumed it, or had it try again.',
    dedupeKey: 'an id made once by the client',
  },
  'corpus.built': {
    what: 'A named collection of memories was made, or made again. Holds their ids, not their text.',
    dedupeKey: 'the name and the time',
  },
  'corpus.deleted': { what: 'A named collection was deleted.', dedupeKey: 'the name and the time' },
};

export interface FieldNote {
  readonly name: string;
  readonly type: string;
  /** The default, as text; `required` without one. */
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
    type:
      field.default === undefined && isNullable(field) ? `${typeText(field)} or \`null\`` : typeText(field),
    absent: field.default === undefined ? 'required' : `\`${JSON.stringify(field.default)}\``,
  }));
}

function isNullable({ anyOf = [] }: FieldSchema): boolean {
  return anyOf.some(({ type }) => type === 'null');
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
  const types = fields.filter(({ type }) => type !== 'null').map(typeText);
  return types.length > 2 ? 'any JSON' : [...new Set(types)].join(' or ');
}
