// Classifies a shell command by purpose and shortens it to one line.
import { insideWorkdir } from './file-paths.ts';
import { withoutQuotedLines } from './quoted-lines.ts';
import { testRunsIn } from './test-commands.ts';

export type CommandPurpose = 'test' | 'check' | 'commit' | 'mutation' | 'look' | 'other';

const SHELLS = new Set(['Bash', 'PowerShell', 'shell', 'run_shell_command', 'exec']);
const COMMAND_CHARS_MAX = 160;

const CHECK =
  /\b(?:tsc|eslint|biome|prettier|golangci-lint|gofmt|ruff|mypy|flake8|clippy|rubocop|credo|markdownlint\S*|vale|shellcheck|dialyzer|pyright|vet)\b|\b(?:go|cargo|mix|dotnet|swift|gradlew?|mvnw?|make|npm|pnpm|yarn|bun|mise|just|task|docker|hugo)\s+(?:run\s+)?(?:build|compile|lint|fmt|format|typecheck|check|package|install)\b/;
const COMMIT = /\bgit\s+(?:-\S+\s+\S+\s+)*(?:commit|merge|cherry-pick|rebase|revert)\b/;
const MUTATION =
  /\bgit\s+(?:mv|rm|push|tag|checkout\s+--|restore|reset|branch\s+-[dDmM]|worktree\s+(?:add|remove))\b|\bgh\s+(?:pr|issue|release)\s+(?:create|merge|close|edit|comment)\b|(?:^|[\s;&|])(?:rm|mv|cp|sed\s+-i\S*|tee|ln|patch)\s|(?:^|\s)cat\s*>|Remove-Item|Move-Item|\b(?:npm|pnpm|yarn|pip|cargo|go|mix|bundle)\s+(?:install|add|get|remove|deps\.get|i)\b/;
const LOOK =
  /^(?:ls|cat|head|tail|grep|rg|find|fd|pwd|which|wc|tree|stat|file|du|df|ps|env|echo|sed -n|awk|sort|diff|jq|type|command -v|git (?:-\S+ \S+ )?(?:status|log|diff|show|branch|remote|blame|ls-files|rev-parse|fetch|check-ignore|config --get)|gh (?:pr|issue|run|repo) (?:view|list|diff|checks|status)|Get-\w+)\b/;

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
  if (!SHELLS.has(name) || typeof command !== 'string' || command.trim() === '') return null;
  const short = shortIn(command, command, workdir);
  return { whole: command, short, purpose: purposeOf(command, short) };
}

/** A part of a command in one line, with the folder that the complete command changes to first. */
export function shortIn(part: string, whole: string, workdir: string): string {
  const folder = folderIn(whole, workdir);
  return folder === null ? shortCommand(part) : `${shortCommand(part)} (in ${folder})`;
}

function purposeOf(command: string, short: string): CommandPurpose {
  if (LOOK.test(short) && !/&&|;/.test(short)) return 'look';
  const unquoted = withoutTexts(command);
  if (COMMIT.test(unquoted)) return 'commit';
  if (testRunsIn(command).runs.length > 0) return 'test';
  if (CHECK.test(unquoted)) return 'check';
  if (MUTATION.test(unquoted)) return 'mutation';
  return LOOK.test(short) ? 'look' : 'other';
}

const CHANGES_FOLDER =
  /^\s*(?:cd|pushd|Set-Location)\s+(?:"([^"\n]*)"|'([^'\n]*)'|([^\s;&|]+))\s*(?:&&|;|\n)/;

/**
 * The folder that a command changes to first: relative to the workdir, or as written when it is outside. null when it is
 * the workdir itself or cannot be known from its name.
 */
function folderIn(command: string, workdir: string): string | null {
  const found = CHANGES_FOLDER.exec(command);
  if (found === null) return null;
  const named = (found[1] ?? found[2] ?? found[3] ?? '').replaceAll('\\', '/');
  // Git's shell on Windows writes `/d/app` for `D:\app`.
  const path = /^[a-z]:/i.test(workdir) ? named.replace(/^\/([a-z])\//i, '$1:/') : named;
  const inside = insideWorkdir(`${path.replace(/\/+$/, '')}/`, workdir).replace(/\/+$/, '');
  if (inside === '' || /^(?:\$|-|~?\/?$|(?:\.\.?\/?)+$)/.test(inside)) return null;
  return workdir.startsWith(`${inside}/`) ? null : inside;
}

function shortCommand(command: string): string {
  if (command.length <= COMMAND_CHARS_MAX && /^\w[^\n\t<>|;&=]*$/.test(command)) return command.trim();
  const line = withoutQuotedLines(command)
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('#'))
    .join('; ')
    .replace(/^(?:(?:cd|pushd|Set-Location)\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*)+/, '')
    .replace(/^(?:[A-Z_][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|\S*)\s*(?:&&|;)?\s*)+/, '')
    .replace(/^(?:cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*)+/, '')
    .replace(/\s*2>&1/g, '')
    .replace(/\s*[12]?>\s*\/dev\/null/g, '')
    .replace(/(?:\s*\|\s*(?:tail|head|tee|cat|less|sort|uniq|wc)\b[^|&;]*)+(?=\s*(?:$|&&|;))/g, '')
    .replace(/\s*;\s*echo\s+["']?[^;&|]*$/i, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= COMMAND_CHARS_MAX) return line;
  // Keep the links of a long chain that test, build or commit; the others only prepare.
  const chosen = line
    .split(/\s*(?:&&|;)\s*/)
    .filter((link) => link !== '' && !LOOK.test(link) && !PREPARES.test(link));
  const kept = chosen.length === 0 ? line : chosen.join(' && ');
  return kept.length <= COMMAND_CHARS_MAX ? kept : `${kept.slice(0, COMMAND_CHARS_MAX - 1).toWellFormed()}…`;
}

const PREPARES = /^(?:sed|echo|printf|cd|export|sleep|mkdir|cp|mv|rm|touch|set|true)\b|^[A-Z_]+=/;

/** Removes quoted texts and here-documents, which say nothing about what a command does. */
function withoutTexts(command: string): string {
  return withoutQuotedLines(command).replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ' "" ');
}
