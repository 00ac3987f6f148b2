// Makes an agent of a description, or says what is wrong in it.
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import checksum from 'crc-32/crc32c.js';
import picomatch from 'picomatch';
import type { Machine } from '../../platform/machine.ts';
import { isInside } from '../../platform/path-inside.ts';
import { repositoryFiles } from '../../platform/repository-files-on-disk.ts';
import type { Agent } from '../common/agent.ts';
import { type JsonProblem, parseJsonAs, shortJson } from '../common/json-problems.ts';
import { type DeclaredFormat, declaredFormat } from './declared-format.ts';
import { type Description, descriptionSchema } from './description.ts';
import { fulfils, scopeOf } from './field-values.ts';

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

const { realPath } = repositoryFiles;

/** Never throws. */
export function parseDescription(
  text: string,
  world: DescriptionWorld,
): DeclaredAgent | { readonly problems: readonly JsonProblem[] } {
  const read = parseJsonAs(text, descriptionSchema);
  if ('problems' in read) return read;
  const problems = clashes(read.value, world);
  return problems.length > 0 ? { problems } : declaredAgent(read.value, world.machine);
}

function declaredAgent(description: Description, machine: Machine): DeclaredAgent {
  const { name, title, files, recognise } = description;
  const folders = description.folders.map((folder) => folderOf(folder, machine));
  const isWanted = picomatch(files, { dot: true, nocase: machine.windows });
  const format = declaredFormat(description, checksum.str(JSON.stringify(description)) >>> 1);
  // A search gives real paths.
  const places = [...new Set([...folders, ...folders.map(realPath)])];
  const isTranscript = (path: string) =>
    places.some((folder) => {
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
function clashes({ name, folders }: Description, { machine, others }: DescriptionWorld): JsonProblem[] {
  const problems: JsonProblem[] = [];
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
