// Makes an agent of a description, or says what is wrong in it.
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import checksum from 'crc-32/crc32c.js';
import picomatch from 'picomatch';
import type { z } from 'zod';
import { type Json, parseJson } from '../../../log/index.ts';
import type { Machine } from '../../platform/machine.ts';
import type { Agent } from '../common/agent.ts';
import { type DeclaredFormat, declaredFormat } from './declared-format.ts';
import { type Description, descriptionSchema } from './description.ts';
import { fulfils, scopeOf } from './field-values.ts';

export interface DescriptionProblem {
  /** `rules[2].text`; empty for the whole file. */
  readonly field: string;
  /** As JSON, shortened; null when the field is missing. */
  readonly value: string | null;
  readonly allowed: string;
}

export interface DeclaredAgent {
  readonly agent: Agent;
  readonly description: Description;
  readonly format: DeclaredFormat;
}

export interface DescriptionWorld {
  readonly machine: Machine;
  /** Agents whose names and folders are taken. */
  readonly others: readonly Agent[];
}

const PROBLEMS_MAX = 20;
const VALUE_CHARS_MAX = 60;

/** Never throws. */
export function parseDescription(
  text: string,
  world: DescriptionWorld,
): DeclaredAgent | { readonly problems: readonly DescriptionProblem[] } {
  const source = text.replace(/^\uFEFF/, '');
  const json = parseJson(source);
  if (!('value' in json))
    return {
      problems: [{ field: '', value: null, allowed: `JSON (${syntaxError(source) ?? json.problem})` }],
    };
  const parsed = descriptionSchema.safeParse(json.value);
  if (!parsed.success)
    return {
      problems: parsed.error.issues
        .slice(0, PROBLEMS_MAX)
        .map((issue) => problemOf(issue, json.value as Json)),
    };
  const problems = clashes(parsed.data, world);
  return problems.length > 0 ? { problems } : declaredAgent(parsed.data, world.machine);
}

function declaredAgent(description: Description, machine: Machine): DeclaredAgent {
  const { name, title, files, recognise } = description;
  const folders = description.folders.map((folder) => folderOf(folder, machine));
  const isWanted = picomatch(files, { dot: true, nocase: machine.windows });
  const format = declaredFormat(description, checksum.str(JSON.stringify(description)) >>> 1);
  const isTranscript = (path: string) =>
    folders.some((folder) => {
      const below = relative(folder, path);
      return (
        below !== '' && !below.startsWith('..') && !isAbsolute(below) && isWanted(below.split(sep).join('/'))
      );
    });
  const agent: Agent = {
    name,
    title,
    folder: () => folders[0]!,
    hooks: null,
    mcp: null,
    transcripts: {
      folders: () => folders,
      isTranscript,
      recognises: ({ path, lines }) =>
        isTranscript(path) ||
        (recognise !== undefined && lines.some((line) => fulfils(recognise, scopeOf(line)))),
      format,
    },
  };
  return { agent, description, format };
}

/** What the schema cannot know: the names and folders of others. */
function clashes(
  { name, folders }: Description,
  { machine, others }: DescriptionWorld,
): DescriptionProblem[] {
  const problems: DescriptionProblem[] = [];
  const namesake = others.find((other) => other.name === name);
  if (namesake !== undefined)
    problems.push({
      field: 'name',
      value: JSON.stringify(name),
      allowed: `a name of its own: this is ${namesake.title}'s`,
    });
  for (const [index, folder] of folders.entries()) {
    const path = folderOf(folder, machine);
    const add = (allowed: string) =>
      problems.push({ field: `folders[${index}]`, value: shortJson(folder), allowed });
    if (!isAbsolute(folder) && !/^~[\\/]/.test(folder)) add('an absolute path, or one that begins with "~/"');
    else if (isInside(machine.userHome, path) || path === parse(path).root)
      add('a folder for transcripts, not the home folder or one above it');
    else {
      const owner = others.find(({ transcripts }) =>
        transcripts?.folders(machine).some((other) => isInside(other, path) || isInside(path, other)),
      );
      if (owner !== undefined) add(`a folder of its own: ${owner.title} keeps transcripts there`);
    }
  }
  return problems;
}

function folderOf(folder: string, { userHome }: Machine): string {
  return resolve(/^~[\\/]/.test(folder) ? join(userHome, folder.slice(2)) : folder);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function problemOf(issue: z.core.$ZodIssue, whole: Json): DescriptionProblem {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknown === undefined ? issue.path : [...issue.path, unknown];
  let value: Json | undefined = whole;
  for (const key of path)
    value =
      value !== null && typeof value === 'object' && Object.hasOwn(value, key)
        ? (value as { readonly [key: PropertyKey]: Json })[key]
        : undefined;
  return {
    field: fieldName(path),
    value: value === undefined ? null : shortJson(value),
    allowed: issue.message,
  };
}

/** Says where the first mistake is. */
function syntaxError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (!/^\w+$/.test(String(key))) return `[${shortJson(String(key))}]`;
      return index === 0 ? String(key) : `.${String(key)}`;
    })
    .join('');
}

function shortJson(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text;
}
