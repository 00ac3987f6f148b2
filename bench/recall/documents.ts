// Documents out of real transcripts, by rules much simpler than the product's: every human prompt, every answer,
// every tool use with its command, its error and its paths. Copies, injected text and side-chains are left out
// or in as they come. Only for measuring search; the product's own documents come from the `memory` view.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { MemoryDocument } from '../../projections/memory/document.ts';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

interface Line {
  readonly type?: string;
  readonly uuid?: string;
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  readonly message?: { readonly content?: string | readonly Block[] };
}

const TITLE_LENGTH = 120;
const BODY_LENGTH = 32 * 1024;
const NOT_TYPED =
  /^(?:<command-|<local-command|<bash-|<task-notification|<system-reminder|Caveat: The messages below|\[Request interrupted)/;

/** All documents of all projects (one folder, one project). The id is the line's uuid or the tool_use_id. */
export function documentsOfTranscripts(folder: string): MemoryDocument[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((project) =>
      readdirSync(join(folder, project.name))
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .flatMap((name) => documentsOfFile(join(folder, project.name, name), project.name)),
    );
}

function documentsOfFile(file: string, project: string): MemoryDocument[] {
  const session = basename(file, '.jsonl');
  const lines = readFileSync(file, 'utf8').split('\n').flatMap(parse);
  const errors = new Map<string, string>();
  for (const line of lines)
    for (const block of blocksOf(line))
      if (block.is_error && block.tool_use_id) errors.set(block.tool_use_id, plainText(block.content));
  const seen = new Set<string>();
  const documents: MemoryDocument[] = [];
  for (const line of lines) {
    for (const block of blocksOf(line)) {
      const document = documentOf(line, block, errors);
      if (document === null || seen.has(document.id)) continue;
      seen.add(document.id);
      documents.push({ ...BLANK, ...document, place: project, session, order: String(documents.length) });
    }
  }
  return documents.map((document, index) => ({
    ...document,
    neighbours: [documents[index - 1], documents[index + 1]].flatMap((near) => (near ? [near.title] : [])),
  }));
}

type Found = Pick<MemoryDocument, 'id' | 'kind' | 'type' | 'title' | 'body' | 'files'>;

function documentOf(line: Line, block: Block, errors: ReadonlyMap<string, string>): Found | null {
  const text = block.text?.trim() ?? '';
  if (line.type === 'user' && block.type === 'text') {
    if (line.isMeta || line.isCompactSummary || NOT_TYPED.test(text)) return null;
    return { id: line.uuid!, kind: 'prompt', type: null, title: titleOf(text), body: clip(text), files: [] };
  }
  if (line.type !== 'assistant') return null;
  if (block.type === 'text' && text !== '')
    return { id: line.uuid!, kind: 'answer', type: null, title: titleOf(text), body: clip(text), files: [] };
  if (block.type !== 'tool_use') return null;
  const input = block.input ?? {};
  const pick = (...names: string[]) =>
    names.flatMap((name) => (typeof input[name] === 'string' ? [input[name]] : []));
  const files = pick('file_path', 'notebook_path', 'path');
  const words = pick(
    'command',
    'description',
    'pattern',
    'query',
    'prompt',
    'url',
    'subject',
    'skill',
    'libraryName',
  );
  return {
    id: block.id!,
    kind: 'tool',
    type: block.name ?? null,
    title: titleOf(`${block.name} ${words[0] ?? files[0] ?? ''}`),
    body: clip([...words, errors.get(block.id!) ?? ''].join('\n')),
    files,
  };
}

const BLANK: Omit<MemoryDocument, keyof Found | 'place' | 'session' | 'order'> = {
  neighbours: [],
  agent: 'claude-code',
  turn: null,
  agentId: null,
  at: null,
  tokens: 0,
  outcome: null,
  events: [],
};

function parse(line: string): Line[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}

function blocksOf(line: Line): readonly Block[] {
  const content = line.message?.content;
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : Array.isArray(content)
      ? content
      : [];
}

function plainText(content: unknown): string {
  return typeof content === 'string' ? content : (JSON.stringify(content) ?? '');
}

function titleOf(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').slice(0, TITLE_LENGTH);
}

function clip(text: string): string {
  return text.slice(0, BODY_LENGTH);
}
