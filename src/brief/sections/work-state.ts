// Shows the state in which the last session left the work: commits and pushes, files edited since, and the last test
// result. Only what tools printed counts.
import {
  addEdit,
  isAmong,
  type ListedAs,
  type ObservationLine,
  renamedIn,
  type SummaryLine,
  UNVERIFIED,
} from '../../../projections/index.ts';
import { counted } from '../../terminal-text/grouped-number.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence, joinParts, shortSession } from '../lines/brief-lines.ts';
import { fileNames } from '../lines/file-names.ts';
import { antecedentsIn, mostInformative, pieceOf, sentencesIn, weightOf } from '../lines/informative-text.ts';
import { essence, runnerWords, typed } from './run-commands.ts';
import { type Committed, remainingIn, sharedText } from './shared-work.ts';

const COMMITS_MAX = 3;
const FILES_MAX = 6;
const LISTED_MAX = 3;
const LISTED_AS: readonly ListedAs[] = ['changed', 'new', 'deleted', 'renamed'];
const RAN_LATER = 'outcome not recognised; before that ';
const BODY_CHARS_MAX = 900;
const BODY_SPARE = 0.5;

interface StoppedCommand {
  readonly row: ObservationLine;
  readonly command: string;
}

/**
 * The last commits, pushes and tests, what the person stopped, and what was edited after the last commit.
 * @param others of any session, newest first: the last result of tests may be among them
 */
export function stateLines(
  rows: readonly ObservationLine[],
  summaries: readonly SummaryLine[],
  others: readonly ObservationLine[],
): BriefLine[] {
  const lines: BriefLine[] = [];
  const newest = rows.flatMap((row) => [...remainingIn(row)].reverse().map((commit) => ({ row, commit })));
  for (const [index, group] of byBranch(newest.slice(0, COMMITS_MAX)).entries()) {
    const how = sharedText(group, rows);
    const label = `Committed${index === 0 ? '' : ` on ${group[0].commit.branch}`}${how === '' ? '' : ` (${how})`}`;
    lines.push(...commitLines(group, label, rows[0]?.turn === summaries[0]?.turn ? rows[0] : undefined));
  }
  lines.push(...editedLine(rows));
  const work = [...rows, ...others];
  const tested = work.find(({ tests }) => tests.length > 0);
  const test = tested?.tests.at(-1);
  if (tested !== undefined && test !== undefined) {
    const runnerLine = runnerWords(test.after, test.runnerLine);
    const again = work.slice(0, work.indexOf(tested) + 1).some(({ testsUnclear }) => testsUnclear);
    const command = clipSentence(typed(essence(test.command) || test.command), 100);
    const words = runnerLine === null ? '' : ` (${clipSentence(runnerLine, 100)})`;
    lines.push(
      briefLine(tested, {
        label: `Tests last seen${rows.includes(tested) ? '' : `, in ${sessionName(tested)}`}`,
        text: `${again ? RAN_LATER : ''}\`${command}\` ${test.after}${words}`,
        voice: 'record',
      }),
    );
  }
  const stopped = stoppedCommand(rows);
  if (stopped !== null) {
    const text = `\`${clipSentence(typed(stopped.command), 100)}\``;
    lines.push(briefLine(stopped.row, { label: 'Refused or stopped by the person', text, voice: 'record' }));
  }
  return lines;
}

/** Another section line may name it first. */
function sessionName({ session }: ObservationLine): string {
  return session === null ? 'another session' : `session ${shortSession(session)}`;
}

type Group = readonly [Committed, ...Committed[]];

/** One group for each branch; commits of an unknown branch are of the newest one's. */
function byBranch(commits: readonly Committed[]): Group[] {
  const groups = new Map<string | null, [Committed, ...Committed[]]>();
  const newest = commits[0]?.commit.branch ?? null;
  for (const one of commits) {
    const branch = one.commit.branch ?? newest;
    const group = groups.get(branch);
    if (group === undefined) groups.set(branch, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** The commits of one branch. @param last what no other line covers: its messages are shown whole */
function commitLines(group: Group, label: string, last: ObservationLine | undefined): BriefLine[] {
  const lines: BriefLine[] = [];
  const shown = group.filter(({ row, commit }) => row === last && commit.body !== '');
  for (const [index, { row, commit }] of shown.entries()) {
    const { hash, subject, body } = commit;
    const sentences = sentencesIn(body);
    const antecedents = antecedentsIn(sentences);
    const pieces = sentences.map((one, at) => pieceOf(one, weightOf(one, at), antecedents.get(one)));
    const within = (charsMax: number) =>
      mostInformative(joinParts([hash, `${subject}${hooksText(commit)}`], ' '), pieces, charsMax);
    const line = briefLine(row, {
      label: index === 0 ? label : 'And',
      text: within(BODY_CHARS_MAX),
      voice: 'mixed',
    });
    lines.push({ ...line, within, spare: index * BODY_SPARE });
  }
  const others = group.filter((one) => !shown.includes(one));
  const text = others
    .map(({ commit }) =>
      joinParts([commit.hash, `${clipSentence(commit.subject, 90)}${hooksText(commit)}`], ' '),
    )
    .join('; ');
  if (text !== '')
    lines.push(briefLine(group[0].row, { label: shown.length === 0 ? label : 'And', text, voice: 'record' }));
  return lines;
}

function hooksText({ unverified }: Committed['commit']): string {
  return unverified === undefined ? '' : UNVERIFIED;
}

/** What was edited and not committed, and what git lists besides: it was changed by a command or by hand. */
function editedLine(rows: readonly ObservationLine[]): BriefLine[] {
  const { files, listed, incomplete } = pendingIn(rows);
  const changed = rows.find(({ edits }) => edits.files.some((file) => files.includes(file)));
  const row = changed ?? rows.find(({ edits }) => edits.listed !== null);
  const others = listedText(listed);
  if (row === undefined || (changed === undefined && others === '')) return [];
  const committed = rows.some(({ edits }) => edits.committed) ? ' after the last commit seen' : '';
  const edited = `${incomplete ? 'at least ' : ''}${fileNames(files, FILES_MAX)}`;
  const also = others === '' ? '' : `; git also listed ${others}`;
  const voice = 'record';
  return changed === undefined
    ? [briefLine(row, { label: 'Listed by git', text: others, voice })]
    : [briefLine(row, { label: `Edited${committed}`, text: `${edited}${also}`, voice })];
}

/** "src/oak.ts as changed, ash.md and 2 more as deleted" */
function listedText(listed: ReadonlyMap<string, ListedAs>): string {
  let left = LISTED_MAX;
  const groups = LISTED_AS.flatMap((as) => {
    const files = [...listed].flatMap(([file, one]) => (one === as ? [file] : []));
    if (files.length === 0) return [];
    const text = left > 0 ? fileNames(files, left) : counted(files.length, 'file');
    left -= files.length;
    return `${text} as ${as}`;
  });
  return groups.join(', ');
}

interface Pending {
  /** Edited and, as far as tools show, neither committed nor undone; the last edited first. */
  readonly files: readonly string[];
  /** What git listed last besides, and not before the session changed anything. */
  readonly listed: ReadonlyMap<string, ListedAs>;
  /** Commands may have changed other files. */
  readonly incomplete: boolean;
}

/** @param rows newest first */
function pendingIn(rows: readonly ObservationLine[]): Pending {
  let pending = new Map<string, number | null>();
  let listed = new Map<string, ListedAs>();
  let incomplete = false;
  let changed = false;
  const listedBefore: string[] = [];
  for (const { edits, files: modified } of [...rows].reverse()) {
    const { earlier, removed, moved, files, lines } = edits;
    const left = renamed(pending, moved);
    pending = new Map(
      left.filter(([file]) => (earlier === null || isAmong(file, earlier)) && !isAmong(file, removed)),
    );
    for (const [index, file] of files.entries()) addEdit(pending, file, lines[index]!);
    if (!changed) listedBefore.push(...edits.listedBefore);
    changed ||= edits.incomplete || edits.committed || files.length + modified.length + removed.length > 0;
    listed = new Map(
      edits.listed?.map((file, index) => [file, edits.listedAs[index]!]) ??
        renamed(listed, moved).filter(([file]) => !isAmong(file, removed)),
    );
    incomplete = edits.incomplete || (incomplete && earlier === null);
  }
  const left = [...pending].flatMap(([file, lines]) => (lines === 0 ? [] : [file]));
  return {
    files: left.reverse(),
    listed: new Map([...listed].filter(([file]) => !isAmong(file, [...pending.keys(), ...listedBefore]))),
    incomplete,
  };
}

function renamed<V>(
  files: ReadonlyMap<string, V>,
  moved: readonly (readonly [from: string, to: string])[],
): [string, V][] {
  return [...files].flatMap(([file, value]) =>
    moved.reduce(renamedIn, [file]).map((name): [string, V] => [name, value]),
  );
}

/** The last test, check or commit that the person refused or stopped, if its tool did not run again. */
function stoppedCommand(rows: readonly ObservationLine[]): StoppedCommand | null {
  const later = new Set<string>();
  for (const row of rows)
    for (const { command, outcome } of [...row.commands].reverse()) {
      const what = essence(command);
      if (outcome === 'cancelled' && what !== '' && !later.has(what)) return { row, command: what };
      later.add(what);
    }
  return null;
}
