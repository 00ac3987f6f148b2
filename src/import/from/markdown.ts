// Reads Markdown notes: one file, such as a CLAUDE.md, or a folder with all *.md files below it. A file is one note. Its
// front matter gives title, type, tags and times, in the fields that memory tools use.
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { reasonOf } from '../../capture/transcripts/discover.ts';
import { readRegularFile } from '../../platform/regular-file.ts';
import { type Finding, type FoundMemory, textsIn, timeIn } from './found-memory.ts';

/** A note, not a data file. 4 MiB. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** What the caller knows of all notes of a folder. */
export type NoteDefaults = Pick<FoundMemory, 'tool' | 'author'> & Partial<FoundMemory>;

export async function* readMarkdown(path: string, tool: string): AsyncGenerator<Finding> {
  try {
    const real = await realpath(path);
    const isFolder = (await stat(real)).isDirectory();
    // A single file, such as a CLAUDE.md, is about the folder that it is in.
    const place = isFolder ? {} : { cwd: dirname(real) };
    yield* readNotes(isFolder ? await notesBelow(real) : [real], { tool, author: 'user', ...place });
  } catch (error) {
    yield { unreadable: { path, reason: reasonOf(error) } };
  }
}

export async function* readNotes(files: readonly string[], defaults: NoteDefaults): AsyncGenerator<Finding> {
  for (const file of files) {
    const read = readRegularFile(file, { bytesMax: FILE_BYTES_MAX });
    if (!('bytes' in read)) {
      yield { unreadable: { path: file, reason: read.why } };
      continue;
    }
    yield { file };
    const { mtimeMs } = await stat(file);
    yield { memory: noteOf(file, read.bytes.toString('utf8'), Math.round(mtimeMs), defaults) };
  }
}

/** All *.md files below a folder, sorted. Links and hidden folders are not followed. */
export async function notesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      files.push(...(await notesBelow(path)));
    else if (entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name)) files.push(path);
  }
  return files.sort();
}

function noteOf(file: string, content: string, modifiedAt: number, defaults: NoteDefaults): FoundMemory {
  const { fields, text } = withoutFrontMatter(content.replace(/^\uFEFF/, ''));
  const heading = /^#{1,6}[ \t]+(.+?)[ \t#]*$/m.exec(text)?.[1];
  const description = fields.get('description');
  return {
    installation: null,
    kind: 'note',
    ...defaults,
    originalId: file,
    file,
    title: fields.get('title') ?? fields.get('name') ?? heading ?? basename(file).replace(/\.[^.]+$/, ''),
    text,
    parts: description === undefined ? [] : [{ name: 'description', text: description }],
    type: fields.get('type') ?? null,
    concepts: labelsIn(fields.get('tags')),
    at: timeIn(fields.get('created_at') ?? fields.get('created') ?? fields.get('date')) ?? modifiedAt,
  };
}

interface FrontMatter {
  readonly fields: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Fields of one line each, which is all that is used; anything else of YAML is skipped. */
function withoutFrontMatter(content: string): FrontMatter {
  const found = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(content);
  if (found === null) return { fields: new Map(), text: content };
  const fields = new Map<string, string>();
  for (const line of (found[1] ?? '').split(/\r?\n/)) {
    const [, name, value] = /^\s*([A-Za-z_]+):[ \t]*(.+?)[ \t]*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && !fields.has(name))
      fields.set(name, value.replace(/^(["'])(.*)\1$/, '$2'));
  }
  return { fields, text: content.slice(found[0].length) };
}

/** `[a, b]`, `a, b` or `["a"]`. */
export function labelsIn(value: unknown): readonly string[] {
  if (typeof value !== 'string') return textsIn(value);
  return value
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((label) => label.trim().replace(/^["'#]+|["']+$/g, ''))
    .filter((label) => label !== '');
}
