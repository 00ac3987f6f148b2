// The edits of a part that are, as far as its tools show, neither committed nor undone at its end; and which earlier edits
// its commands settle. An edit that may be settled is left out.
import { posix } from 'node:path';
import { addedLines } from '../../tools/changed-lines.ts';
import { type Command, folderOfLink } from '../shell/commands.ts';
import { insideWorkdir, isAmong, isSameFile, renamedIn } from '../shell/file-paths.ts';
import { type GitCall, gitCalls, mayChangeFiles, redirectsOf } from '../shell/known-commands.ts';
import { changesTree } from '../shell/printed-branch.ts';
import { parseShell } from '../shell/shell.ts';
import type { ListedAs, PendingEdits } from '../transcript/observation.ts';
import { isScratch, isWriter, movedBy, removedBy, toolUsePaths } from '../transcript/touched-files.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';
import { commitsOf } from './commits.ts';
import { mayDropCommits } from './rewrites.ts';

export const NO_EDITS: PendingEdits = {
  files: [],
  lines: [],
  earlier: null,
  listed: null,
  listedAs: [],
  listedBefore: [],
  incomplete: false,
  discarded: [],
  removed: [],
  moved: [],
  committed: false,
};

/**
 * @param isCommitted whether the person said before that what was edited is committed
 * @param makesUnseen whether a tool use launches work whose changes may have no transcript
 */
export function pendingEdits(
  toolUses: readonly ToolUse[],
  workdir: string,
  isCommitted: boolean,
  makesUnseen: (toolUse: ToolUse) => boolean,
): PendingEdits {
  /** With what happened to their lines. */
  let files = new Map<string, number | null>();
  const discarded = new Set<string>();
  const removed = new Set<string>();
  const moved: (readonly [string, string])[] = [];
  let earlier: readonly string[] | null = isCommitted ? [] : null;
  let listed: ReadonlyMap<string, ListedAs> | null = null;
  let listedBefore: readonly string[] = [];
  let incomplete = false;
  let changed = false;
  let committed = false;
  /** New files that commands wrote. */
  const made: string[] = [];
  const keepOnly = (kept: readonly string[]) => {
    for (const file of files.keys()) if (!isAmong(file, kept)) files.delete(file);
    earlier = earlier === null ? kept : earlier.filter((file) => isAmong(file, kept));
    incomplete = false;
  };
  const followsSubagents = toolUses.some(({ ofSubagent }) => ofSubagent);
  for (const toolUse of toolUses) {
    const { command, outcome } = toolUse;
    if (isWriter(toolUse) && outcome === 'ok')
      for (const path of toolUsePaths(toolUse)) {
        const file = insideWorkdir(path, workdir);
        if (isScratch(file) || isPlanFile(file)) continue;
        changed = true;
        addEdit(files, file, linesOf(toolUse));
        for (const one of removed) if (isSameFile(one, file)) removed.delete(one);
      }
    if (!followsSubagents && makesUnseen(toolUse)) incomplete = true;
    if (outcome === 'failed' || outcome === 'cancelled') continue;
    for (const path of removedBy(toolUse)) {
      const file = insideWorkdir(path, workdir);
      removed.add(file);
      for (const one of files.keys()) if (isSameFile(file, one)) files.delete(one);
    }
    if (command === null) continue;
    for (const path of gitCalls(command.whole).flatMap(discardedBy))
      discarded.add(insideWorkdir(path, workdir));
    for (const [from, to] of movedBy(toolUse)) {
      const names = [insideWorkdir(from, workdir), insideWorkdir(to, workdir)] as const;
      moved.push(names);
      files = new Map(
        [...files].flatMap(([file, lines]) => renamedIn([file], names).map((name) => [name, lines])),
      );
      // What a status listed has the new name from now on.
      if (earlier !== null) earlier = [...earlier, ...renamedIn(earlier, names)];
    }
    if (!isWriter(toolUse) && mayChangeFiles(command.whole) && !changesTree(command.whole, workdir)) {
      incomplete = true;
      made.push(...parseShell(command.whole).links.flatMap(({ written }) => redirectsOf(written)));
    }
    const commits = commitsHere(command.whole) || commitsOf(toolUse).length > 0;
    committed ||= commits;
    const settles = commits || (!makesRepository(command.whole) && mayUndo(command.whole));
    if (settles) {
      keepOnly([]);
      listed = new Map();
    }
    changed ||= incomplete || settles || removed.size + moved.length > 0;
    const status = statusIn(command, toolUse.tail, workdir);
    if (status !== null) keepOnly([...status.changed.keys(), ...status.untracked]);
    const shown = status?.changed ?? diffIn(command.whole, toolUse.tail, workdir);
    if (shown === null || (settles && !endsWithListing(command.whole))) continue;
    const own = status?.untracked.filter((file) => isAmong(file, made)) ?? [];
    listed =
      status === null
        ? new Map([...shown, ...(listed ?? [])])
        : new Map([...shown, ...own.map((file) => [file, 'new'] as const)]);
    if (!changed) listedBefore = [...listed.keys()];
  }
  const left = [...files].filter(([, lines]) => lines !== 0);
  const others = [...(listed ?? [])].filter(
    ([file]) => ![...files.keys()].some((one) => isSameFile(one, file)),
  );
  return {
    files: left.map(([file]) => file),
    lines: left.map(([, lines]) => lines),
    earlier,
    listed: listed === null ? null : others.map(([file]) => file),
    listedAs: others.map(([, as]) => as),
    listedBefore,
    incomplete,
    discarded: [...discarded],
    removed: [...removed],
    moved,
    committed,
  };
}

/** Its listing shows what its commits, or what it undid, left. */
function endsWithListing(command: string): boolean {
  const calls = gitCalls(command);
  return ['status', 'diff'].includes(calls.at(-1)?.name ?? '');
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
  return COMMITTED_BY_PERSON.test(text);
}

/** English only: in other languages a negation or a question may stand far from the word. */
const COMMITTED_BY_PERSON =
  /\bI(?:['’]ve| have)?(?: just| already| now| also)? (?:committed|pushed|amended|squashed|merged)\b/i;

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

function discardedBy({ name, words }: GitCall): readonly string[] {
  if (name === 'checkout') return words.includes('--') ? words.slice(words.indexOf('--') + 1) : [];
  return name === 'restore' && !onlyUnstages(words) ? words.filter((word) => !word.startsWith('-')) : [];
}

/** Of `git restore`: the files stay as they are. */
function onlyUnstages(words: readonly string[]): boolean {
  const has = (option: RegExp) => words.some((word) => option.test(word));
  return has(/^(?:--staged|-[A-Z]*S[A-Z]*)$/) && !has(/^(?:--worktree|-[A-Z]*W[A-Z]*)$/);
}

function undoes({ name, words }: GitCall): boolean {
  if (name === 'stash') return !['list', 'show'].includes(words[0] ?? '');
  if (name === 'checkout') return words.includes('--') || words.includes('.') || words.includes('-f');
  if (name === 'restore') return !onlyUnstages(words);
  return (name === 'reset' && words.includes('--hard')) || /^(?:clean|rebase|revert)$/.test(name);
}

/** Of git, and of rtk, which shortens what git prints. */
const HEADER = /^(?:On branch |HEAD detached |Not currently on any branch|📌 )/;
const ENTRY =
  /^\s+(modified|new file|deleted|typechange|renamed|copied|both modified|both added|(?:added|deleted) by (?:us|them)):\s+(?:.+ -> )?(.+)$/;
const ENTRIES_AS: Readonly<Record<string, ListedAs>> = {
  'new file': 'new',
  copied: 'new',
  deleted: 'deleted',
  renamed: 'renamed',
};
const LISTED = /^(?:\t| {3}(?!\.\.\. ))(\S.*)$/;
const MORE = /^ {3}\.\.\. \+\d+ more$/;
const UNTRACKED = /^(?:❓ )?Untracked/;
/** Lines of a status that name no file. */
const OTHER =
  /^(?:Your branch | {2}\(use "|Changes |(?:❓ )?Untracked|Unmerged paths:|You (?:have|are) | {1,2}\(all conflicts|no changes added|nothing (?:added )?to commit|and have \d|It took |(?:✅|📝) \w+: \d+ files)|^$/u;
const SHORT_ENTRY = /^(?!\s\s)([ MADRCUT?!]{2}) (?:.+ -> )?(\S.*)$/;
/** ` src/a.ts | 12 ++--`; a long name is cut at its beginning: ` …/a.ts | 2 +`. */
const DIFF_ENTRY = /^ (?!\.\.\.)(\S[^|{}]*?)\s+\|\s+(?:\d+ [-+]+|\d+|Bin .*)$/;

interface StatusFiles {
  readonly changed: ReadonlyMap<string, ListedAs>;
  /** New files and folders that git does not know. */
  readonly untracked: readonly string[];
}

/** The files that `git status` listed, relative to the workdir; null when it did not run or may not show all of them. */
function statusIn(command: Command, printed: string, workdir: string): StatusFiles | null {
  const status = filesIn(command.whole, printed, workdir);
  if (status === null) return null;
  const folder = folderOfLink(command, (link) => gitCalls(link).some(isStatus), workdir);
  const isBelow = folder !== null && !/^(?:[/~]|\.\.|[a-z]:)/i.test(folder);
  // Of a folder outside, the way from the workdir is not known.
  const isRelative = isBelow && !hasPathsOfRepository(command.whole, printed);
  const place = (file: string) => placed(file, isRelative ? folder : '.');
  return {
    changed: new Map([...status.changed].map(([file, as]) => [place(file), as])),
    untracked: status.untracked.map(place),
  };
}

function isStatus({ name }: GitCall): boolean {
  return name === 'status';
}

/** Those of a status for programs, and of one that rtk makes out of it. */
function hasPathsOfRepository(command: string, printed: string): boolean {
  return (
    command.includes('relativePaths') ||
    /^📌/mu.test(printed) ||
    gitCalls(command)
      .filter(isStatus)
      .some(({ words, byRtk }) => {
        const asks = (option: RegExp) => words.some((word) => option.test(word));
        return asks(/^--porcelain/) || (byRtk && (words.length === 0 || asks(/^(?:-[a-z]*b|--branch$)/)));
      })
  );
}

function filesIn(command: string, printed: string, workdir: string): StatusFiles | null {
  if (!/\bstatus\b/.test(command) || printed === '') return null;
  const { links } = parseShell(command);
  const calls = gitCalls(command).filter(isStatus);
  const [status, another] = calls;
  if (status === undefined || another !== undefined) return null;
  const isPiped = links.some(({ stages }) => stages.length > 1 && /\bstatus\b/.test(stages[0]!));
  const isPart = status.words.some(
    (word) => !word.startsWith('-') || /^-u(?:no)?$|^--untracked-files/.test(word),
  );
  if (isPiped || isPart || changesTree(command, workdir)) return null;
  const lines = printed.split('\n');
  const isShort = status.words.some((word) => /^(?:-s|-sb|-bs|--short|--porcelain)/.test(word));
  if (!isShort) return ofLong(lines);
  const entries = links.length === 1 ? lines.filter((line) => !line.startsWith('## ')) : lastEntries(lines);
  return entries === null ? null : ofShort(entries);
}

/** The files that `git diff --stat` of the working tree listed; null when it did not run. */
function diffIn(command: string, printed: string, workdir: string): ReadonlyMap<string, ListedAs> | null {
  const calls = gitCalls(command).filter(({ name }) => name === 'diff');
  const isOfTree = calls.every(({ words }) => words.every((word) => word.startsWith('-') || word === 'HEAD'));
  const isStat = calls.length === 1 && calls[0]!.words.some((word) => word.startsWith('--stat'));
  if (!isStat || !isOfTree || changesTree(command, workdir)) return null;
  // The first line of an output may have lost its indentation.
  const lines = ` ${printed.trimStart()}`.split('\n');
  const files = lines.flatMap((line) => DIFF_ENTRY.exec(line)?.[1] ?? []);
  return new Map(files.map((file) => [placed(file, '.'), 'changed']));
}

/** The last lines in a row that are entries of a short status; null for none, or if they may be cut. */
function lastEntries(lines: readonly string[]): readonly string[] | null {
  const end = lines.findLastIndex((line) => SHORT_ENTRY.test(line));
  const start = lines.slice(0, end + 1).findLastIndex((line) => !SHORT_ENTRY.test(line));
  return end < 0 || lines[0] === '…' ? null : lines.slice(start + 1, end + 1);
}

function ofShort(lines: readonly string[]): StatusFiles | null {
  const files = { changed: new Map<string, ListedAs>(), untracked: [] as string[] };
  for (const line of lines) {
    // The first line of an output may have lost its indentation.
    const [, state = '', file] = SHORT_ENTRY.exec(line) ?? SHORT_ENTRY.exec(` ${line}`) ?? [];
    if (file === undefined) return null;
    if (state === '??') files.untracked.push(file);
    else if (state !== '!!') files.changed.set(file, stateOf(state));
  }
  return withKept(files);
}

/** A deleted file that is there is one that git no longer tracks. */
function withKept({ changed, untracked }: StatusFiles): StatusFiles {
  return {
    changed: new Map([...changed].map(([file, as]) => [file, untracked.includes(file) ? 'changed' : as])),
    untracked,
  };
}

/** @param state the two letters of a short status: of the index and of the working tree */
function stateOf(state: string): ListedAs {
  if (/^(?:D |[ MARC]D)$/.test(state)) return 'deleted';
  if (/^R[ M]$/.test(state)) return 'renamed';
  return /^(?:[AC][ M]| A)$/.test(state) ? 'new' : 'changed';
}

function ofLong(lines: readonly string[]): StatusFiles | null {
  const start = lines.findIndex((line) => HEADER.test(line));
  if (start < 0) return null;
  const files = { changed: new Map<string, ListedAs>(), untracked: [] as string[] };
  let isUntracked = false;
  for (const line of lines.slice(start + 1)) {
    const [, as = '', entry] = ENTRY.exec(line) ?? [];
    const file = entry ?? LISTED.exec(line)?.[1];
    if (file !== undefined && isUntracked) files.untracked.push(file);
    else if (file !== undefined) {
      // Git lists what is staged first: a new file that was modified since is new.
      if (!files.changed.has(file) || as === 'deleted') files.changed.set(file, ENTRIES_AS[as] ?? 'changed');
    } else if (OTHER.test(line)) isUntracked = UNTRACKED.test(line) || (isUntracked && line.startsWith(' '));
    else if (!MORE.test(line)) break;
    else if (!isUntracked) return null;
  }
  return withKept(files);
}

/** A path that git printed in this folder: without quotation marks, a remark, and the way up from the workdir. */
function placed(file: string, folder: string): string {
  const path = file.replace(/^"|"$/g, '').replace(/ \([^)]*\)$/, '');
  return posix.normalize(`${folder}/${path}`).replace(/^(?:\.\.\/)+/, '');
}
