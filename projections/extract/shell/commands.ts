// Classifies a shell command by purpose and shortens it to one line.
import { toolKind } from '../../tools/known-tools.ts';
import { insideWorkdir, nativePath } from './file-paths.ts';
import { type CommandPurpose, purposeOf, purposeOfStage, rarelyFails, shortens } from './known-commands.ts';
import { parseShell, type ShellLink } from './shell.ts';

const COMMAND_CHARS_MAX = 160;

export interface Command {
  readonly whole: string;
  /** One line, without `cd`, variable assignments, redirections and pipes that only shorten the output. */
  readonly short: string;
  readonly purpose: CommandPurpose;
}

/** null when the tool is no shell. A folder below the workdir is appended: "npm test (in website)". */
export function commandIn(
  name: string,
  { command }: Readonly<Record<string, unknown>>,
  workdir: string,
): Command | null {
  if (toolKind(name) !== 'shell' || typeof command !== 'string' || command.trim() === '') return null;
  return { whole: command, short: shortIn(command, command, workdir), purpose: purposeOf(command) };
}

/** A part of a command in one line, with the folder that the complete command changes to first. */
export function shortIn(part: string, whole: string, workdir: string): string {
  const folder = folderIn(whole, workdir);
  return folder === null ? shortCommand(part) : `${shortCommand(part)} (in ${folder})`;
}

/**
 * The folder that a command changes to first: relative to the workdir, or as written when it is outside. null when it is
 * the workdir itself or cannot be known from its name.
 */
function folderIn(command: string, workdir: string): string | null {
  const { written = [] } = parseShell(command).links[0] ?? {};
  const named = CHANGES_FOLDER.exec(written[0] ?? '')?.[1]
    ?.replace(/["']/g, '')
    .replaceAll('\\', '/');
  if (named === undefined) return null;
  const path = nativePath(named, workdir);
  const inside = insideWorkdir(`${path.replace(/\/+$/, '')}/`, workdir).replace(/\/+$/, '');
  if (inside === '' || /^(?:\$|-|~?$|[./]+$)/.test(inside)) return null;
  return workdir.startsWith(`${inside}/`) ? null : inside;
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

/** A link in one line; empty when it only sets variables. */
function shortLink({ written }: ShellLink): string {
  const stages = [...written];
  while (stages.length > 1 && shortens(stages.at(-1)!)) stages.pop();
  return stages
    .map((stage) =>
      stage
        .replace(/\s*\d?>(?:&\d|\s*\/dev\/null)/g, '')
        .replace(/^(?:[A-Z_][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|\S*)(?:\s+|$))+/, ''),
    )
    .join(' | ')
    .replace(/\s+/g, ' ')
    .trim();
}
