// The edits of a part that are, as far as its tools show, neither committed nor undone at its end; and which earlier edits
// its commands settle. An edit that may be settled is left out.
import { addedLines } from '../../tools/changed-lines.ts';
import { insideWorkdir, isAmong, isSameFile, renamedIn } from '../shell/file-paths.ts';
import { type GitCall, gitCalls } from '../shell/known-commands.ts';
import { parseShell } from '../shell/shell.ts';
import type { PendingEdits } from '../transcript/observation.ts';
import { isScratch, isWriter, movedBy, removedBy, toolUsePaths } from '../transcript/touched-files.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';
import { commitsOf, mayDropCommits } from './commits.ts';

export const NO_EDITS: PendingEdits = {
  files: [],
  lines: [],
  earlier: null,
  removed: [],
  moved: [],
  committed: false,
};

/** @param isCommitted whether the person said before that what was edited is committed */
export function pendingEdits(
  toolUses: readonly ToolUse[],
  workdir: string,
  isCommitted: boolean,
): PendingEdits {
  /** With what happened to their lines. */
  let files = new Map<string, number | null>();
  const removed = new Set<string>();
  const moved: (readonly [string, string])[] = [];
  let earlier: readonly string[] | null = isCommitted ? [] : null;
  let committed = false;
  const keepOnly = (listed: readonly string[]) => {
    for (const file of files.keys()) if (!isAmong(file, listed)) files.delete(file);
    earlier = earlier === null ? listed : earlier.filter((file) => isAmong(file, listed));
  };
  for (const toolUse of toolUses) {
    const { command, outcome } = toolUse;
    if (isWriter(toolUse) && outcome === 'ok')
      for (const path of toolUsePaths(toolUse)) {
        const file = insideWorkdir(path, workdir);
        if (isScratch(file) || isPlanFile(file)) continue;
        addEdit(files, file, linesOf(toolUse));
      }
    if (command === null || outcome === 'failed' || outcome === 'cancelled') continue;
    for (const path of removedBy(toolUse)) {
      const file = insideWorkdir(path, workdir);
      removed.add(file);
      for (const one of files.keys()) if (isSameFile(file, one)) files.delete(one);
    }
    for (const [from, to] of movedBy(toolUse)) {
      const names = [insideWorkdir(from, workdir), insideWorkdir(to, workdir)] as const;
      moved.push(names);
      files = new Map(
        [...files].flatMap(([file, lines]) => renamedIn([file], names).map((name) => [name, lines])),
      );
      // What a status listed has the new name from now on.
      if (earlier !== null) earlier = [...earlier, ...renamedIn(earlier, names)];
    }
    const commits = commitsHere(command.whole) || commitsOf(toolUse).length > 0;
    committed ||= commits;
    if (commits || (!makesRepository(command.whole) && mayUndo(command.whole))) keepOnly([]);
    const listed = statusIn(command.whole, toolUse.tail, workdir);
    if (listed !== null) keepOnly(listed);
  }
  const left = [...files].filter(([, lines]) => lines !== 0);
  return {
    files: left.map(([file]) => file),
    lines: left.map(([, lines]) => lines),
    earlier,
    removed: [...removed],
    moved,
    committed,
  };
}

/** Adds what an edit did to the lines of a file, which is the last edited from now on. */
export function addEdit(files: Map<string, number | null>, file: string, lines: number | null): void {
  const before = files.has(file) ? files.get(file)! : 0;
  files.delete(file);
  files.set(file, addedLines(before, lines));
}

/** null when it is not known what the tool did to the lines. */
function linesOf({ input }: ToolUse): number | null {
  return typeof input.changed_lines === 'number' ? input.changed_lines : null;
}

/** "I committed it": what exactly is not known, so nothing is said of any edit. */
export function saysCommitted(text: string): boolean {
  return /\bI(?:['’]ve| have)?(?: just| already| now| also)? (?:committed|pushed|amended|squashed|merged)\b/i.test(
    text,
  );
}

function commitsHere(command: string): boolean {
  return gitCalls(command).some(({ name }) => name === 'commit') && !makesRepository(command);
}

/** What else the command does with git is in a repository of the moment. In the project, git prints the first commit. */
function makesRepository(command: string): boolean {
  return gitCalls(command).some(({ name }) => name === 'init');
}

/** A plan of Claude Code, which no repository holds. */
function isPlanFile(file: string): boolean {
  return /\/\.claude\/plans\/[^/]+\.md$/.test(file);
}

function mayUndo(command: string): boolean {
  return mayDropCommits(command) || gitCalls(command).some(undoes);
}

function undoes({ name, words }: GitCall): boolean {
  if (name === 'stash') return !['list', 'show'].includes(words[0] ?? '');
  if (name === 'checkout') return words.includes('--') || words.includes('.') || words.includes('-f');
  if (name === 'restore') return !words.includes('--staged') || words.includes('--worktree');
  return (name === 'reset' && words.includes('--hard')) || name === 'clean' || name === 'revert';
}

/** Of git, and of rtk, which shortens what git prints. */
const HEADER = /^(?:On branch |HEAD detached |Not currently on any branch|📌 )/;
const ENTRY =
  /^\s+(?:(?:modified|new file|deleted|typechange|both modified|both added|added by us|added by them|deleted by us|deleted by them):\s+(.+)|renamed:\s+.+ -> (.+)|copied:\s+.+ -> (.+))$/;
const LISTED = /^(?:\t| {3}(?!\.\.\. ))(\S.*)$/;
const MORE = /^ {3}\.\.\. \+\d+ more$/;
const UNTRACKED = /^(?:❓ )?Untracked/;
/** Lines of a status that name no file. */
const OTHER =
  /^(?:Your branch | {2}\(use "|Changes |(?:❓ )?Untracked|Unmerged paths:|You (?:have|are) | {1,2}\(all conflicts|no changes added|nothing (?:added )?to commit|and have \d|It took |(?:✅|📝) \w+: \d+ files)|^$/u;
const SHORT_ENTRY = /^(?!\s\s)[ MADRCUT?!]{2} (?:.+ -> )?(.+)$/;

/** The changed files that `git status` listed, relative to its folder; null when it did not run or may not show all of them. */
export function statusIn(command: string, printed: string, workdir: string): readonly string[] | null {
  if (!/\bstatus\b/.test(command) || printed === '') return null;
  const { links } = parseShell(command);
  const calls = gitCalls(command).filter(({ name }) => name === 'status');
  const [status, another] = calls;
  if (status === undefined || another !== undefined) return null;
  const isPiped = links.some(({ stages }) => stages.length > 1 && /\bstatus\b/.test(stages[0]!));
  const isElsewhere = !links.every(({ written }) => staysIn(written[0]!, workdir));
  const isPart = status.words.some(
    (word) => !word.startsWith('-') || /^-u(?:no)?$|^--untracked-files/.test(word),
  );
  if (isPiped || isElsewhere || isPart) return null;
  const lines = printed.split('\n');
  const isShort = status.words.some((word) => /^(?:-s|-sb|-bs|--short|--porcelain)/.test(word));
  return isShort ? (links.length === 1 ? ofShort(lines) : null) : ofLong(lines);
}

function staysIn(link: string, workdir: string): boolean {
  const [, folder] = /^(?:cd|pushd|(?:rtk )?git -C)\s+["']?([^"'\s]+)/.exec(link) ?? [];
  if (folder === undefined) return true;
  return (
    !folder.includes('..') && (!/^[/~$]|^[a-z]:/i.test(folder) || folder.replace(/\/+$/, '') === workdir)
  );
}

function ofShort(lines: readonly string[]): string[] | null {
  const files: string[] = [];
  for (const line of lines) {
    if (line.startsWith('## ')) continue;
    // The first line of an output may have lost its indentation.
    const file = (SHORT_ENTRY.exec(line) ?? SHORT_ENTRY.exec(` ${line}`))?.[1];
    if (file === undefined) return null;
    files.push(plain(file));
  }
  return files;
}

function ofLong(lines: readonly string[]): string[] | null {
  const start = lines.findIndex((line) => HEADER.test(line));
  if (start < 0) return null;
  const files: string[] = [];
  let isUntracked = false;
  for (const line of lines.slice(start + 1)) {
    const [, changed, renamed, copied] = ENTRY.exec(line) ?? [];
    const file = changed ?? renamed ?? copied ?? LISTED.exec(line)?.[1];
    if (file !== undefined) files.push(plain(file));
    else if (OTHER.test(line)) isUntracked = UNTRACKED.test(line) || (isUntracked && line.startsWith(' '));
    else if (!MORE.test(line)) break;
    else if (!isUntracked) return null;
  }
  return files;
}

/** Without quotation marks and without the way up. */
function plain(file: string): string {
  return file
    .replace(/^"|"$/g, '')
    .replace(/^(?:\.\.?\/)+/, '')
    .replace(/ \([^)]*\)$/, '');
}
