// The modes that there are: the one that is built in, and the JSON files in the folder `modes` of the home. The file
// research.json holds the mode `research`.
import { basename, join } from 'node:path';
import { type JsonProblem, parseJsonAs, problemText } from '../../agents/common/json-problems.ts';
import { list } from '../../platform/disk-files.ts';
import { readRegularFile } from '../../platform/regular-file.ts';
import { codeMode } from './code-mode.ts';
import { type Mode, modeSchema } from './mode.ts';

const MODE_BYTES_MAX = 64 * 1024;
const EXTENSION = '.json';

export type ReadMode = { readonly mode: Mode } | { readonly problems: readonly JsonProblem[] };

export interface ListedMode {
  readonly name: string;
  /** Null for the built-in mode. */
  readonly path: string | null;
  readonly read: ReadMode;
}

/** Never throws. */
export function readMode(path: string): ReadMode {
  const file = readRegularFile(path, { bytesMax: MODE_BYTES_MAX, followLinks: true });
  if ('why' in file)
    return { problems: [{ field: '', value: null, allowed: `a file that can be read; it ${file.why}` }] };
  const read = parseJsonAs(file.bytes.toString('utf8'), modeSchema);
  if ('problems' in read) return read;
  const mode = read.value;
  const wanted = basename(path, EXTENSION);
  const problem = (allowed: string) => ({
    problems: [{ field: 'name', value: JSON.stringify(mode.name), allowed }],
  });
  if (mode.name === codeMode.name) return problem('a name of its own: code is built in');
  return mode.name === wanted ? { mode } : problem(`the name of the file: ${JSON.stringify(wanted)}`);
}

/** The built-in one first. */
export async function listModes(folder: string): Promise<readonly ListedMode[]> {
  const files = (await list(folder)).filter((file) => file.endsWith(EXTENSION));
  return [
    { name: codeMode.name, path: null, read: { mode: codeMode } },
    ...files.map((file) => {
      const path = join(folder, file);
      return { name: basename(file, EXTENSION), path, read: readMode(path) };
    }),
  ];
}

/** @param name of the form `MODE_NAME` */
export async function modeNamed(name: string, folder: string): Promise<Mode | { readonly why: string }> {
  const modes = await listModes(folder);
  const found =
    modes.find((one) => one.path === null && one.name === name) ?? modes.find((one) => one.name === name);
  if (found === undefined)
    return {
      why: `There is no mode “${name}”: ${join(folder, name + EXTENSION)} does not exist. Known: ${modes.map((one) => one.name).join(', ')}.`,
    };
  if ('mode' in found.read) return found.read.mode;
  return {
    why: `The mode “${name}” cannot be used: ${problemText(found.read.problems[0]!)}; \`annals mode validate ${name}\` says more.`,
  };
}
