// Cuts fragments from an event's text, to find the same text elsewhere and to prove that it is gone: long words and the
// beginnings of lines. They hold nothing that JSON escapes, so they occur unchanged in stored bytes.
import type { Json, LogEvent } from '../../log/index.ts';
import { traitsOf } from './event-traits.ts';

const WORD = /[\p{L}\p{N}_]{12,60}/gu;
const LINE_CHARS_MIN = 20;
const LINE_CHARS_MAX = 48;
const WORDS_IN_LINE_MIN = 3;
/** A shorter text is too common to identify anything. */
const SHORT_BYTES_MIN = 4;
/** Limit for all strings of one event. */
const STRINGS_MAX = 200;

/** Fields about where and who, not about content: they are the same in every event of a session. */
const NO_CONTENT_FIELDS: ReadonlySet<string> = new Set([
  'agentId',
  'agentType',
  'agentVersion',
  'branch',
  'cwd',
  'entrypoint',
  'kind',
  'launchedAgentId',
  'messageId',
  'model',
  'name',
  'outcome',
  'parent',
  'permissionMode',
  'promptId',
  'promptUuid',
  'reason',
  'resultUuid',
  'source',
  'stopReason',
  'toolUseId',
  'uuid',
  'via',
]);

/** At most `most` different fragments, spread over the whole event. */
export function fragmentsOf(event: LogEvent, most: number): string[] {
  if (!traitsOf(event).hasContent) return [];
  const strings: string[] = [];
  for (const [field, value] of Object.entries(contentOf(event)))
    if (!NO_CONTENT_FIELDS.has(field)) collectStrings(value as Json, strings);
  const words = new Set<string>();
  const lines = new Set<string>();
  for (const text of strings) {
    for (const [word] of text.matchAll(WORD)) words.add(word);
    for (const part of text.split(/["\\\p{Cc}]/u)) {
      const line = beginningOf(part);
      if (line !== null) lines.add(line);
    }
  }
  const half = Math.ceil(most / 2);
  const some = spread([...lines], Math.max(half, most - words.size));
  return [...some, ...spread([...words], most - some.length)];
}

/** Of documents. */
const ID = /\b[a-z]-[a-z0-9]{12}\b/g;

/**
 * Of an act: its words and those of its items. Of what a model answered: its words. Ids stay in the log, as the names of what was
 * forgotten, and recipes in other requests.
 */
function contentOf(event: LogEvent): object {
  if (event.type === 'observer.replied')
    return { text: event.body.text.replace(ID, ' '), question: event.body.question };
  if (event.type === 'corpus.built') return { query: event.body.query };
  if (!('item' in event.body)) return event.body;
  const { item, by, title, text, selection } = event.body as {
    readonly [field: string]: { readonly [field: string]: unknown } | null;
  };
  return { title, text, query: selection?.query, of: [item, by].map((one) => [one?.title, one?.text]) };
}

/** Texts too short for fragments, each as JSON with its quotes, so that only the complete text matches. */
export function shortTextsOf(event: LogEvent): string[] {
  if (!traitsOf(event).hasContent) return [];
  const { text, title }: Readonly<Record<string, unknown>> = { ...event.body };
  return [text, title].flatMap((value) =>
    typeof value === 'string' && Buffer.byteLength(value) >= SHORT_BYTES_MIN && value.length < LINE_CHARS_MIN
      ? [JSON.stringify(value)]
      : [],
  );
}

function collectStrings(value: Json | undefined, strings: string[]): void {
  if (strings.length >= STRINGS_MAX || value === undefined) return;
  if (typeof value === 'string') strings.push(value);
  else if (Array.isArray(value)) for (const one of value) collectStrings(one, strings);
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) collectStrings(one, strings);
}

/** The beginning of a line in whole words; null if it is too short to identify a text. */
function beginningOf(part: string): string | null {
  const line = part.trim();
  if (line.length < LINE_CHARS_MIN) return null;
  const cut =
    line.length <= LINE_CHARS_MAX ? line : line.slice(0, line.lastIndexOf(' ', LINE_CHARS_MAX) + 1).trim();
  const words = cut.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return cut.length >= LINE_CHARS_MIN && words.length >= WORDS_IN_LINE_MIN ? cut.toWellFormed() : null;
}

function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from(
    { length: Math.max(0, most) },
    (_, index) => all[Math.floor((index * all.length) / most)]!,
  );
}
