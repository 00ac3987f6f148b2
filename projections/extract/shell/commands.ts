// Classifies a shell command by purpose and shortens it to one line.
import { posix } from 'node:path';
import { toolKind } from '../../tools/known-tools.ts';
import { insideWorkdir, nativePath } from './file-paths.ts';
import { type CommandPurpose, purposeOf, purposeOfStage, rarelyFails, shortens } from './known-commands.ts';
import { parseShell, type ShellLink } from './shell.ts';

const COMMAND_CHARS_MAX = 160;

export interface Command {
  readonly whole: string;
  /** One line, without `cd`, redirections and pipes that only shorten the output, and of tests and checks without assignments. */
  readonly short: string;
  /** Where it ran: below the workdir, or as written when it is outside. null for the workdir itself, or if it is not known. */
  readonly folder: string | null;
  readonly purpose: CommandPurpose;
}

/**
 * null when the tool is no shell. A folder other than the workdir is appended: "npm test (in website)".
 * @param from the folder in which the shell was before it, if it is known
 */
export function commandIn(
  name: string,
  { command }: Readonly<Record<string, unknown>>,
  workdir: string,
  from?: string,
): Command | null {
  if (toolKind(name) !== 'shell' || typeof command !== 'string' || command.trim() === '') return null;
  const folder = folderOf(command, workdir, from);
  return { whole: command, short: shortIn(command, folder), folder, purpose: purposeOf(command) };
}

/** A part of a command in one line, with its folder. */
export function shortIn(part: string, folder: string | null): string {
  return folder === null ? shortCommand(part) : `${shortCommand(part)} (in ${folder})`;
}

/** The folder that a command changes to first, else the one in which the shell was. */
function folderOf(command: string, workdir: string, from: string | undefined): string | null {
  const { written = [] } = parseShell(command).links[0] ?? {};
  const named = CHANGES_FOLDER.exec(written[0] ?? '')?.[1];
  return named === undefined ? belowWorkdir(from, workdir) : folderFrom(from, named, workdir);
}

/** The folder in which a link of a command ran, as in `Command`: each `cd` before it counts, and `git -C`. null also if that is unsure. */
export function folderOfLink(
  { whole, folder }: Command,
  isIt: (link: string) => boolean,
  workdir: string,
): string | null {
  if (RETURNS.test(whole)) return null;
  const links = parseShell(whole).links.map(({ written }) => written[0]!);
  let reached = folder;
  for (const [index, link] of links.entries()) {
    const found = isIt(link);
    const inside = found && / -C[\s=]/.test(link);
    const [, named] = (inside ? GIT_IN.exec(link) : index > 0 ? CHANGES_FOLDER.exec(link) : null) ?? [];
    if (inside && named === undefined) return null;
    if (named !== undefined) reached = folderFrom(posix.join(workdir, reached ?? ''), named, workdir);
    if (found) break;
  }
  return reached;
}

/** A folder that only some of the links are in. */
const RETURNS = /\(\s*(?:cd|pushd)\b|\b(?:popd|Pop-Location)\b/;
const GIT_IN = /^(?:rtk )?git\s+(?:(?:--no-pager|-c\s+\S+)\s+)*-C\s+("[^"\n]*"|'[^'\n]*'|\S+)/;

function folderFrom(from: string | undefined, named: string, workdir: string): string | null {
  const path = named.replace(/["']/g, '').replaceAll('\\', '/');
  return belowWorkdir(pathFrom(from, nativePath(path, workdir)), workdir);
}

function belowWorkdir(path: string | undefined, workdir: string): string | null {
  if (path === undefined || path === `${MAC_ROOT}${workdir}`) return null;
  const inside = insideWorkdir(`${path.replace(/\/+$/, '')}/`, workdir).replace(/\/+$/, '');
  if (inside === '' || /^(?:\$|-|~?$|[./]+$)/.test(inside)) return null;
  return workdir.startsWith(`${inside}/`) ? null : inside;
}

/** macOS calls `/tmp` and `/var` so. */
const MAC_ROOT = '/private';

/** @param path absolute, or relative to `from`, if that is known */
function pathFrom(from: string | undefined, path: string): string {
  if (from === undefined || /^(?:[/~$-]|[a-z]:)/i.test(path)) return path;
  return posix.normalize(`${from.replaceAll('\\', '/')}/${path}`);
}

const CHANGES_FOLDER = /^(?:cd|pushd|Set-Location)\s+("[^"\n]*"|'[^'\n]*'|\S+)$/;

function shortCommand(command: string): string {
  if (command.length <= COMMAND_CHARS_MAX && /^\w[^\n\t<>|;&=]*$/.test(command)) return command.trim();
  const links = parseShell(command).links.map((link) => ({ link, text: shortLink(link) }));
  const shown = links.filter(({ link, text }) => text !== '' && !CHANGES_FOLDER.test(link.written[0]!));
  // A chain often ends by printing a text about itself.
  if (shown.length > 1 && shown.at(-1)!.text.startsWith('echo ')) shown.pop();
  const line = joined(shown.length === 0 ? links : shown);
  if (line.length <= COMMAND_CHARS_MAX) return line;
  // Keep the links of a long chain that test, build or commit; the others only prepare.
  const kept = shown.filter(
    ({ link: { stages } }) => purposeOfStage(stages[0]!) !== 'look' && !rarelyFails(stages[0]!),
  );
  const text = kept.length === 0 ? line : joined(kept);
  return text.length <= COMMAND_CHARS_MAX ? text : `${text.slice(0, COMMAND_CHARS_MAX - 1).toWellFormed()}…`;
}

function joined(links: readonly { readonly link: ShellLink; readonly text: string }[]): string {
  return links
    .map(({ link, text }, index) =>
      index === links.length - 1 ? text : `${text}${link.after === ';' ? '; ' : ` ${link.after} `}`,
    )
    .join('');
}

const ASSIGNMENTS = /^(?:[A-Z_][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|\S*)(?:\s+|$))+/;
/** What they choose decides what the command works on: `MIX_ENV=test`. */
const CHOICE = /^[A-Z_][A-Z0-9_]*=[\w.-]{1,16} (?=\S)/;

function withoutAssignments(stage: string): string {
  const command = stage.replace(ASSIGNMENTS, '');
  return CHOICE.test(stage) && stage.replace(CHOICE, '') === command && purposeOfStage(command) === 'other'
    ? stage
    : command;
}

/** A link in one line; empty when it only sets variables. */
function shortLink({ written }: ShellLink): string {
  const stages = [...written];
  while (stages.length > 1 && shortens(stages.at(-1)!)) stages.pop();
  return stages
    .map((stage) => withoutAssignments(stage.replace(/\s*\d?>(?:&\d|\s*\/dev\/null)/g, '')))
    .join(' | ')
    .replace(/\s+/g, ' ')
    .trim();
}
