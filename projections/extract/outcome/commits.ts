// Finds commits. A commit counts only when git shows it, by its line `[branch 1a2b3c4] subject` or at the top of a later
// log. A successful command is no proof: wrappers and hooks refuse commits and exit with 0.

import { runsGit } from '../shell/git-words.ts';
import { parseShell } from '../shell/shell.ts';
import { memoized } from '../transcript/memoized.ts';
import type { CommitEvidence } from '../transcript/observation.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';

const MESSAGE_CHARS_MAX = 1_000;
/** `[main 3f602d1] Subject`, also `[main (root-commit) 3f602d1]`. */
const PRINTED = /^\[([^\s\]]{1,100})[^\]\n]{0,40} ([0-9a-f]{7,40})\] (.+)$/gm;
/** A line of a log: `3f602d1 (HEAD -> main) Subject`. */
const LOGGED = /^([0-9a-f]{7,40}) (?:\([^)\n]{1,160}\) )?(\S.*)$/m;
const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)(?:\n\s*\2\b|$)/g;
const QUOTED = /(?:\s-[a-zA-Z]*m|\s--message[=\s])\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;
const COMMITS = /\b(?:commit|cherry-pick|merge|revert|am)\b/;
const SHOWS_LOG = /\b(?:log|show|reflog|rev-parse|rev-list)\b/;
/** Works in a temporary repository. */
const ELSEWHERE =
  /(?:^|[\s;&|(])(?:cd|pushd|git\s+-C)\s+["']?(?:\/tmp\b|\/private\/tmp\b|\/var\/folders\/|\$\{?TE?MP|\$\(mktemp)|\bmktemp\b/i;
const SUBJECT_CHARS_EQUAL = 50;

export interface FoundCommit extends CommitEvidence {
  /** It rewrote a commit, so its subject is older. */
  readonly amended: boolean;
}

/** The commits that git's own output shows. */
export const commitsOf = memoized((toolUse: ToolUse): readonly FoundCommit[] => {
  const command = toolUse.command?.whole;
  if (command === undefined || toolUse.outcome === 'cancelled' || !runsGit(command, COMMITS)) return [];
  if (ELSEWHERE.test(command) || isDryRun(command)) return [];
  const amended = /\s--(?:amend|fixup|autosquash)\b/.test(command);
  const rebases = runsGit(command, /\brebase\b/);
  const messages = messagesOf(command);
  const mayQuote = printsTexts(command) && messages.length > 0 && !messages.some((one) => one.includes('$'));
  return [...printedBy(toolUse).matchAll(PRINTED)].flatMap(([, branch = '', hash = '', line = '']) => {
    const detached = branch === 'detached';
    // A rebase rewrites its intermediate commits.
    if (detached && rebases) return [];
    const subject = clean(line);
    const whole = messages.find((message) => message.startsWith(subject));
    // The command printed other text, which contains git's line of another commit.
    if (mayQuote && whole === undefined) return [];
    return [{ hash, message: whole ?? subject, branch: detached ? null : branch, amended }];
  });
});

export function triesToCommit({ command, outcome }: ToolUse): boolean {
  return command !== null && outcome !== 'cancelled' && runsGit(command.whole, /\bcommit\b/);
}

/** Whether every commit in the command is a dry run. */
function isDryRun(command: string): boolean {
  const commits = parseShell(command).links.flatMap(({ stages }) =>
    stages.filter((one) => runsGit(one, COMMITS)),
  );
  return commits.length > 0 && commits.every((one) => /\s--dry-run(?=\s|$)/.test(one));
}

/** Whether it prints other text besides git's output. */
function printsTexts(command: string): boolean {
  return parseShell(command).links.some(
    ({ stages: [first = ''] }) => PRINTS.test(first) && !first.includes('>'),
  );
}

const PRINTS = /^(?:cat|head|tail|less|more|grep|rg|sed|awk|echo|printf)\s/;

/** Messages that a command committed without output from git; a later log may confirm them. */
export function quietCommitsOf(toolUse: ToolUse): readonly string[] {
  const command = toolUse.command?.whole;
  if (command === undefined || toolUse.outcome !== 'ok' || !runsGit(command, COMMITS)) return [];
  if (ELSEWHERE.test(command) || commitsOf(toolUse).length > 0) return [];
  // A message with a shell variable or "wip" identifies nothing.
  return messagesOf(command).filter((message) => !/^wip\b|\$\{?\w/i.test(message));
}

/** The newest commit of a log that this tool use printed; null for none. */
export function loggedBy(toolUse: ToolUse): { readonly hash: string; readonly subject: string } | null {
  if (toolUse.command === null || toolUse.outcome !== 'ok' || !runsGit(toolUse.command.whole, SHOWS_LOG))
    return null;
  const found = LOGGED.exec(toolUse.tail);
  return found === null ? null : { hash: found[1]!, subject: clean(found[2]!) };
}

/** Whether a subject from a log, possibly shortened, is that of a message. */
export function isSubjectOf(subject: string, message: string): boolean {
  const [first = ''] = message.split('\n');
  const start = subject.replace(/(?:\.{3}|…)$/, '');
  return start.length >= Math.min(SUBJECT_CHARS_EQUAL, first.length) && first.startsWith(start);
}

function printedBy({ error, tail }: ToolUse): string {
  return error.includes(tail) ? error : `${error}\n${tail}`;
}

/** Removes rewritten commits from `commits`: the last one by `--amend`, all by a reset or an interactive rebase. Returns whether it removed any. */
export function withoutRewritten(commits: Map<string, FoundCommit>, command: string): boolean {
  if (commits.size === 0 || !/\bgit\b/.test(command)) return false;
  const before = commits.size;
  if (/\bgit\b[^\n;&|]{0,80}\bcommit\b[^\n;&|]{0,300}\s--amend\b/.test(command)) {
    const last = [...commits.keys()].at(-1)!;
    commits.delete(last);
  }
  if (REWRITES.test(command)) commits.clear();
  return commits.size < before;
}

/** Removes the commits of a branch that a command force-deletes. */
export function withoutDeletedBranch(commits: Map<string, FoundCommit>, command: string): void {
  const deleted = DELETES.exec(command)?.[1]?.split(/\s+/) ?? [];
  for (const [name, { branch }] of commits) if (deleted.includes(branch ?? '')) commits.delete(name);
}

const DELETES = /\bgit\b[^\n;&|]{0,80}\bbranch\s+(?:(?:-q|--quiet)\s+)?-D\s+([^\n;&|]{1,300})/;

/** Whether it may copy commits to another branch or repository. */
export function mayCarryCommits(command: string): boolean {
  return runsGit(command, /\b(?:merge|rebase|cherry-pick|push|pull|tag|format-patch|branch\s+-[mMcC])\b/);
}

const REWRITES =
  /\bgit\b[^\n;&|]{0,80}\b(?:reset\s+(?:(?:-q|--quiet)\s+)?(?:--(?:soft|mixed|hard)\s+)(?:HEAD[~^@]|origin\/|[0-9a-f]{7,40}\b|[\w./-]+)|reset\s+HEAD[~^]|rebase\s+(?:\S{1,80}\s+){0,8}?(?:-i|--interactive|--autosquash|--onto|--root)\b|filter-branch|filter-repo)/;

/** Whether earlier commits may no longer exist after the command. */
export function mayDropCommits(command: string): boolean {
  return DROPS.test(command);
}

const DROPS =
  /\bgit\b[^\n;&|]{0,80}\b(?:rebase\b|reset\s+(?:(?:-q|--quiet)\s+)?(?:--(?:soft|mixed|hard)\b|HEAD[~^@]|[0-9a-f]{7,40}\b)|filter-branch|filter-repo|commit\b[^\n;&|]{0,200}--amend|checkout\s+(?:-q\s+)?-B|branch\s+(?:(?:-q|--quiet)\s+)?-(?:f|D|M)\b|update-ref|replace\b)/;

function messagesOf(command: string): string[] {
  if (!runsGit(command, /\bcommit\b/)) return [];
  const found: string[] = [];
  const documents = [...command.matchAll(HERE_DOCUMENT)].map((match) => match[3]!);
  const isMessage = /\bcommit\b[^\n]{0,300}(?:-[a-zA-Z]{0,8}m\s*"?\$\(cat\s*<<|-F\s*-|--file[= ]-)/.test(
    command,
  );
  if (isMessage && documents.length > 0) found.push(...documents);
  else {
    const rest = command.slice(command.search(/\bcommit\b/));
    // Several -m of one commit are paragraphs.
    const pieces = [...rest.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? '');
    if (pieces.length > 0) found.push(pieces.join('\n\n'));
  }
  return found.map(clean).filter((message) => message !== '' && !message.startsWith('$('));
}

function clean(message: string): string {
  return message
    .replace(/^\s*@['"]?\s*|\s*['"]?@\s*$/g, '')
    .replace(/\\n/g, '\n')
    .replace(/\\(["'`$])/g, '$1')
    .split('\n')
    .map((line) => line.trim())
    .filter(
      (line) => !/^(?:Co-Authored-By|Signed-off-by|Claude-Session|Entire-\w+):|Generated with/i.test(line),
    )
    .join('\n')
    .trim()
    .slice(0, MESSAGE_CHARS_MAX)
    .toWellFormed();
}
