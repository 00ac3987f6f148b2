// Commits: the message from the command that made it, the hash from what git printed.
import type { CommitEvidence } from '../observation.ts';
import type { Use } from './story.ts';

const MESSAGE_CHARS_MAX = 1_000;
/** `[main 3f602d1] Subject`, also `[main (root-commit) 3f602d1]`. */
const PRINTED = /^\[[^\]\n]{1,120}? ([0-9a-f]{7,40})\] (.+)$/gm;
const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)(?:\n\s*\2\b|$)/g;
const QUOTED = /(?:\s-[a-zA-Z]*m|\s--message[=\s])\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;

export interface FoundCommit extends CommitEvidence {
  /** It rewrote a commit: its subject was there before. */
  readonly amended: boolean;
}

/** None when it failed or was no commit. */
export function commitsOf(use: Use): FoundCommit[] {
  const command = use.command?.whole;
  if (
    command === undefined ||
    use.outcome !== 'ok' ||
    !/\bgit\b[^\n]*\b(?:commit|cherry-pick|merge|revert)\b/.test(command)
  )
    return [];
  const printed = [...use.tail.matchAll(PRINTED)].map(([, hash, subject]) => ({
    hash: hash!,
    subject: subject!.trim(),
  }));
  // A loop's variable or a work in progress names nothing.
  const messages = messagesOf(command).filter((message) => !/^wip\b|\$\{?\w/i.test(message));
  const amended = /\s--(?:amend|fixup|autosquash)\b/.test(command);
  if (printed.length === 0) return messages.map((message) => ({ hash: null, message, amended }));
  return printed.map(({ hash, subject }) => {
    const whole = messages.find((message) => message.startsWith(clean(subject)));
    return { hash, message: whole ?? clean(subject), amended };
  });
}

/** Whether it took out of `commits` any that a command rewrote: the last one by `--amend`, all by a reset or an interactive rebase. */
export function withoutRewritten(commits: Map<string, FoundCommit>, command: string): boolean {
  if (commits.size === 0 || !/\bgit\b/.test(command)) return false;
  const before = commits.size;
  if (/\bgit\b[^\n;&|]*\bcommit\b[^\n;&|]*\s--amend\b/.test(command)) {
    const last = [...commits.keys()].at(-1)!;
    commits.delete(last);
  }
  if (REWRITES.test(command)) commits.clear();
  return commits.size < before;
}

const REWRITES =
  /\bgit\b[^\n;&|]*\b(?:reset\s+(?:--(?:soft|mixed|hard)\s+)(?:HEAD[~^@]|origin\/|[0-9a-f]{7,40}\b|[\w./-]+)|reset\s+HEAD[~^]|rebase\s+(?:\S+\s+)*?(?:-i|--interactive|--autosquash|--onto|--root)\b|filter-branch|filter-repo)/;

function messagesOf(command: string): string[] {
  if (!/\bgit\b[^\n]*\bcommit\b/.test(command)) return [];
  const found: string[] = [];
  const documents = [...command.matchAll(HERE_DOCUMENT)].map((match) => match[3]!);
  const isMessage = /\bcommit\b[^\n]*(?:-[a-zA-Z]*m\s*"?\$\(cat\s*<<|-F\s*-|--file[= ]-)/.test(command);
  if (isMessage && documents.length > 0) found.push(...documents);
  else {
    const rest = command.slice(command.search(/\bcommit\b/));
    // Several -m of one commit are its paragraphs.
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
