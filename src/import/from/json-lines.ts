// Reads exports of other memory tools: one JSON object a line, or one JSON document that holds a list of them. The names of
// the fields are those that the tools use; docs/other-memories.md lists them. What has no known name is kept as metadata.
import { hash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { isRecord, type Json } from '../../../log/index.ts';
import { lineProblem, parseTranscriptLine } from '../../agents/common/json-fields.ts';
import { reasonOf } from '../../capture/transcripts/discover.ts';
import { linePages } from '../../capture/transcripts/line-pages.ts';
import { openRegularFile, readRegularFile } from '../../platform/regular-file.ts';
import { type Finding, type FoundMemory, type MemoryKind, textsIn, timeIn } from './found-memory.ts';
import { labelsIn } from './markdown.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A document is read whole. 64 MiB. */
const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024;
/** Ids of at least this length are unique on all machines: UUIDs, hashes. */
const UNIQUE_ID_CHARS = 16;

const NAMES = {
  id: ['id', 'uuid', 'memory_id', 'permalink'],
  title: ['title', 'name'],
  text: ['text', 'memory', 'content', 'body', 'narrative', 'data'],
  type: ['type', 'entityType', 'category'],
  at: ['created_at', 'createdAt', 'created', 'timestamp', 'date', 'created_at_epoch'],
  project: ['project', 'workspace', 'namespace'],
  cwd: ['cwd', 'folder'],
  session: ['session_id', 'sessionId', 'session'],
  tags: ['tags', 'concepts', 'categories', 'keywords'],
  files: ['files'],
  kind: ['kind'],
  parts: ['observations', 'facts'],
} as const;

const KINDS: ReadonlySet<unknown> = new Set<MemoryKind>(['observation', 'summary', 'prompt', 'note']);
/** Where a document has its list. */
const LISTS = ['results', 'memories', 'entities', 'items', 'data'];

export async function* readJsonLines(path: string, tool: string): AsyncGenerator<Finding> {
  let file = path;
  try {
    file = await realpath(path);
    const document = documentIn(file);
    if (document === null) yield* linesOf(file, tool);
    else {
      yield { file };
      for (const [index, entry] of document.entries())
        yield findingOf(entry, { file, tool, what: `entry ${index + 1}` });
    }
  } catch (error) {
    yield { unreadable: { path: file, reason: reasonOf(error) } };
  }
}

/** The entries of a file that is one JSON document, which may be one memory on several lines; null for lines. */
function documentIn(file: string): readonly unknown[] | null {
  const read = readRegularFile(file, { bytesMax: DOCUMENT_BYTES_MAX });
  if (!('bytes' in read)) return null;
  // A byte order mark is a space too.
  const text = read.bytes.toString('utf8').trim();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  const list = LISTS.map((name) => value[name]).find(Array.isArray);
  const isMemory = list === undefined || (textIn(value, NAMES.text) !== null && !list.some(isRecord));
  // One memory on one line is what a longer file begins with.
  if (isMemory) return text.includes('\n') ? [value] : null;
  return [...list, ...(Array.isArray(value.relations) ? value.relations : [])];
}

async function* linesOf(path: string, tool: string): AsyncGenerator<Finding> {
  const file = await openRegularFile(path);
  try {
    yield { file: path };
    let number = 0;
    for await (const { lines } of linePages(file, 0, (await file.stat()).size))
      for (const { bytes } of lines) {
        number += 1;
        const what = `line ${number}`;
        if (bytes === null) yield { skipped: { file: path, what, reason: 'the line is too long' } };
        else if (Buffer.from(bytes).toString('utf8').trim() !== '') {
          const entry = parseTranscriptLine(bytes);
          yield entry === null
            ? { skipped: { file: path, what, reason: `it is ${lineProblem(bytes)}` } }
            : findingOf(entry, { file: path, tool, what });
        }
      }
  } finally {
    await file.close();
  }
}

interface Place {
  readonly file: string;
  readonly tool: string;
  readonly what: string;
}

function findingOf(entry: unknown, { file, tool, what }: Place): Finding {
  if (!isRecord(entry)) return { skipped: { file, what, reason: 'it is not a JSON object' } };
  const memory = relationOf(entry) ?? memoryOf(entry);
  if ((memory.text ?? null) === null && memory.parts?.length === 0)
    return { skipped: { file, what, reason: 'it has no text in a field of a known name' } };
  const id = textIn(entry, NAMES.id) ?? (tool === 'mcp-memory' ? memory.title : null) ?? what;
  // Another file may use the same short id for something else.
  const isUnique = id.length >= UNIQUE_ID_CHARS && textIn(entry, NAMES.id) !== null;
  const installation = isUnique ? null : hash('sha256', file).slice(0, 16);
  return { memory: { kind: 'note', author: 'agent', ...memory, tool, file, installation, originalId: id } };
}

type Read = Partial<FoundMemory>;

function memoryOf(entry: Fields): Read {
  const kind = entry.kind;
  const known = new Set<string>(Object.values(NAMES).flat());
  const rest = Object.entries(entry).filter(([name]) => !known.has(name));
  return {
    ...(KINDS.has(kind) ? { kind: kind as MemoryKind } : {}),
    ...(kind === 'prompt' ? { author: 'user' as const } : {}),
    title: textIn(entry, NAMES.title),
    text: textIn(entry, NAMES.text),
    parts: NAMES.parts.flatMap((name) => textsIn(entry[name]).map((text) => ({ name: 'fact', text }))),
    type: typeIn(entry),
    at: timeIn(NAMES.at.map((name) => entry[name]).find((value) => timeIn(value) !== null)),
    project: textIn(entry, NAMES.project),
    cwd: textIn(entry, NAMES.cwd),
    session: textIn(entry, NAMES.session),
    concepts: NAMES.tags.flatMap((name) => labelsIn(entry[name])),
    files: textsIn(entry.files),
    metadata: rest.length === 0 ? null : (Object.fromEntries(rest) as Json),
  };
}

/** An entity of the MCP memory server says `type: "entity"`, and its own type in `entityType`. */
function typeIn(entry: Fields): string | null {
  return entry.type === 'entity' ? textIn(entry, ['entityType']) : textIn(entry, NAMES.type);
}

/** A relation of the MCP memory server: `{"type": "relation", "from", "to", "relationType"}`. */
function relationOf({ from, to, relationType }: Fields): Read | null {
  if (typeof from !== 'string' || typeof to !== 'string' || typeof relationType !== 'string') return null;
  const text = `${from} ${relationType} ${to}`;
  return { title: text, text, type: 'relation', parts: [] };
}

function textIn(entry: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = entry[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return null;
}
