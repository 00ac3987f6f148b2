// Reads Markdown notes: one file, such as a CLAUDE.md, or a folder with all *.md files below it. A file is one note. Its
// front matter gives title, type, tags and times, in the fields that memory tools use.
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { reasonOf, type Unreadable } from '../../capture/transcripts/discover.ts';
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
    const defaults = { tool, author: 'user', ...place } as const;
    yield* isFolder ? readNotes(real, defaults) : readNote(real, defaults);
  } catch (error) {
    yield { unreadable: { path, reason: reasonOf(error) } };
  }
}

/** All *.md files below a folder, in order. Links and hidden folders are not followed. */
export async function* readNotes(folder: string, defaults: NoteDefaults): AsyncGenerator<Finding> {
  const unreadable: Unreadable[] = [];
  for (const file of await notesBelow(folder, unreadable)) yield* readNote(file, defaults);
  for (const one of unreadable) yield { unreadable: one };
}

async function* readNote(file: string, defaults: NoteDefaults): AsyncGenerator<Finding> {
  const read = readRegularFile(file, { bytesMax: FILE_BYTES_MAX });
  if (!('bytes' in read)) {
    yield { unreadable: { path: file, reason: read.why } };
    return;
  }
  yield { file };
  const { mtimeMs } = await stat(file);
  yield { memory: noteOf(file, read.bytes.toString('utf8'), Math.round(mtimeMs), defaults) };
}

/** @param unreadable extended by the folders that cannot be read */
async function notesBelow(folder: string, unreadable: Unreadable[]): Promise<string[]> {
  const files: string[] = [];
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        files.push(...(await notesBelow(path, unreadable)));
      else if (entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name)) files.push(path);
    }
  } catch (error) {
    unreadable.push({ path: folder, reason: reasonOf(error) });
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
