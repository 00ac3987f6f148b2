// Finds commits. A commit counts only when git shows it by its line `[branch 1a2b3c4] subject`. A successful command is no
// proof: wrappers and hooks refuse commits and exit with 0.

import { type GitCall, gitCalls, isTemporary } from '../shell/known-commands.ts';
import { parseShell } from '../shell/shell.ts';
import { cutAtWord } from '../text/sentences.ts';
import { memoized } from '../transcript/memoized.ts';
import type { CommitEvidence } from '../transcript/observation.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';

const MESSAGE_CHARS_MAX = 1_000;
/** `[main 3f602d1] Subject`, also `[main (root-commit) 3f602d1]`. */
const PRINTED = /^\[([^\s\]]{1,100})[^\]\n]{0,40} ([0-9a-f]{7,40})\] (.+)$/gm;
const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)(?:\n\s*\2\b|$)/g;
/** Also a here-string of PowerShell, `@'…'@`. */
const QUOTED = /(?:\s-[a-zA-Z]*m|\s--message[=\s])\s*@?(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;
const COMMITS = new Set(['commit', 'cherry-pick', 'merge', 'revert', 'am']);

export interface FoundCommit extends CommitEvidence {
  /** It rewrote a commit, so its subject is older. */
  readonly amended: boolean;
}

/** Whether one of its commits rewrites an earlier one. */
export function amendsCommit(command: string): boolean {
  return gitCalls(command).some(
    ({ name, words }) =>
      COMMITS.has(name) && words.some((word) => /^--(?:amend|fixup|autosquash)\b/.test(word)),
  );
}

/** The commits that git's own output shows. */
export const commitsOf = memoized((toolUse: ToolUse): readonly FoundCommit[] => {
  const command = toolUse.command?.whole;
  if (command === undefined || toolUse.outcome === 'cancelled') return [];
  const calls = gitCalls(command);
  const commits = calls.filter(({ name }) => COMMITS.has(name));
  const isTrial = commits.every(({ words }) => words.includes('--dry-run'));
  if (isTrial || worksElsewhere(command)) return [];
  const amended = amendsCommit(command);
  const rebases = calls.some(({ name }) => name === 'rebase');
  const messages = messagesOf(command, calls);
  const mayQuote = printsTexts(command) && messages.length > 0 && !messages.some((one) => one.includes('$'));
  const more = { amended, ...(commits.every(skipsHooks) ? { unverified: true as const } : {}) };
  const short = commitByRtk(calls, messages, toolUse);
  if (short !== null) return [{ ...short, ...more }];
  return [...printedBy(toolUse).matchAll(PRINTED)].flatMap(([, branch = '', hash = '', line = '']) => {
    const detached = branch === 'detached';
    // A rebase rewrites its intermediate commits.
    if (detached && rebases) return [];
    const subject = clean(line);
    const [whole, another] = new Set(messages.filter((one) => `${one}\n`.startsWith(`${subject}\n`)));
    // The command printed other text, which contains git's line of another commit.
    if (mayQuote && whole === undefined) return [];
    // Of two messages with this subject it is not known which one is meant.
    const message = another === undefined ? (whole ?? subject) : subject;
    return [{ hash, message, branch: detached ? null : branch, ...more }];
  });
});

function skipsHooks({ name, words }: GitCall): boolean {
  return name === 'commit' && words.some((word) => word === '--no-verify' || /^-[aeinopqsvz]*n/.test(word));
}

/** rtk prints `ok ✓` for each call in place of git's lines, `FAILED: …` for one that failed, and the hash in some versions. */
const RTK_OK = /^ok ✓(?: ([0-9a-f]{7,40})$)?/gm;
const RTK_SHORTENS = new Set(['add', 'commit', 'push', 'pull', 'fetch']);

/** null unless each of its calls is known to have succeeded. */
function commitByRtk(
  calls: readonly GitCall[],
  messages: readonly string[],
  toolUse: ToolUse,
): CommitEvidence | null {
  const [message, another] = messages;
  if (toolUse.outcome !== 'ok' || message === undefined || another !== undefined || message.includes('$'))
    return null;
  const shortened = calls.filter(({ name, byRtk }) => byRtk && RTK_SHORTENS.has(name));
  const printed = [...printedBy(toolUse).matchAll(RTK_OK)];
  const isAll = shortened.length === printed.length && !/^FAILED/m.test(printedBy(toolUse));
  const at = shortened.findIndex(({ name }) => name === 'commit');
  return isAll && at >= 0 ? { hash: printed[at]![1] ?? null, message, branch: null } : null;
}

/** Works in a temporary repository. */
export function worksElsewhere(command: string): boolean {
  return (
    command.includes('mktemp') ||
    parseShell(command).links.some(({ written: [first = ''] }) =>
      isTemporary(/^(?:cd|pushd|git\s+-C)\s+\S+/.exec(first)?.[0] ?? ''),
    )
  );
}

export function triesToCommit({ command, outcome }: ToolUse): boolean {
  return (
    command !== null &&
    outcome !== 'cancelled' &&
    gitCalls(command.whole).some(({ name }) => name === 'commit')
  );
}

/** Whether it prints other text besides git's output. */
function printsTexts(command: string): boolean {
  return parseShell(command).links.some(
    ({ stages: [first = ''] }) => PRINTS.test(first) && !first.includes('>'),
  );
}

const PRINTS = /^(?:cat|head|tail|less|more|grep|rg|sed|awk|echo|printf)\s/;

function printedBy({ error, tail }: ToolUse): string {
  return error.includes(tail) ? error : `${error}\n${tail}`;
}

/** The hashes that Git printed for commits, also where it is not sure which commit is meant. */
export function printedHashes(toolUse: ToolUse): string[] {
  if (toolUse.command === null || !/\bgit\b[^\n]*\bcommit\b/.test(toolUse.command.whole)) return [];
  return [...printedBy(toolUse).matchAll(PRINTED)].map(([, , hash = '']) => hash);
}

function messagesOf(command: string, calls: readonly GitCall[]): string[] {
  const commits = calls.filter(({ name }) => name === 'commit');
  if (commits.length === 0) return [];
  const found: string[] = [];
  const documents = [...command.matchAll(HERE_DOCUMENT)].map((match) => match[3]!);
  const isMessage = /\bcommit\b[^\n]{0,300}(?:-[a-zA-Z]{0,8}m\s*"?\$\(cat\s*<<|-F\s*-|--file[= ]-)/.test(
    command,
  );
  if (isMessage) found.push(...documents);
  for (const { source } of commits) {
    const rest = source.slice(source.search(/\bcommit\b/));
    // Several -m of one commit are paragraphs. What the shell makes is not in the command.
    const pieces = [...rest.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? '');
    found.push(pieces.filter((piece) => !/^(?:\$\(|`)/.test(piece)).join('\n\n'));
  }
  return found.map(clean).filter((message) => message !== '' && !message.startsWith('$('));
}

function clean(message: string): string {
  const text = message
    .replace(/\\n/g, '\n')
    .replace(/\\(["'`$])/g, '$1')
    .split('\n')
    .map((line) => line.trim())
    .filter(
      (line) => !/^(?:Co-Authored-By|Signed-off-by|Claude-Session|Entire-\w+):|Generated with/i.test(line),
    )
    .join('\n')
    .trim();
  return cutAtWord(text, MESSAGE_CHARS_MAX);
}
