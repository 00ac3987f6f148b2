// Gathers the evidence of a part of a turn: commands and outcomes, tests before and after, commits, errors with their
// fixes, files. Only the text of fixes comes from prose.

import { type ToolKind, toolKind } from '../../tools/known-tools.ts';
import { amendsCommit, commitsOf } from '../outcome/commits.ts';
import { listedCommits } from '../outcome/listed-commits.ts';
import { pendingEdits } from '../outcome/pending-edits.ts';
import { pullRequestsOf, pushesOf } from '../outcome/pushes.ts';
import { CommitStack, deletedBranches } from '../outcome/rewrites.ts';
import { commandOutcome, endedTests, isUnended } from '../outcome/test-outcome.ts';
import { shortIn } from '../shell/commands.ts';
import { gitCalls, isTemporary, mayChangeFiles, purposeOfStage } from '../shell/known-commands.ts';
import { parseShell } from '../shell/shell.ts';
import type {
  CommandEvidence,
  CommitEvidence,
  PendingEdits,
  PullRequestEvidence,
  PushEvidence,
  Rewrite,
  TestEvidence,
} from '../transcript/observation.ts';
import { isWriter, type TouchedFiles, touchedFilesOf } from '../transcript/touched-files.ts';
import type { Message, ToolUse } from '../transcript/turn-transcript.ts';
import { errorsOf, type FoundError } from './errors.ts';
import { launchedToMake } from './launched-work.ts';
import { coversTests, runsAllTests } from './same-command.ts';

const COMMANDS_MAX = 12;
const TESTS_MAX = 6;
const LOOKING = new Set<ToolKind | null>(['read', 'search', 'question']);

export interface GatheredEvidence {
  readonly commands: readonly CommandEvidence[];
  readonly tests: readonly TestEvidence[];
  readonly testsUnclear: boolean;
  readonly commits: readonly CommitEvidence[];
  readonly pushes: readonly PushEvidence[];
  readonly pullRequests: readonly PullRequestEvidence[];
  readonly rewrites: readonly Rewrite[];
  readonly quietCommits: number;
  readonly listedCommits: readonly string[];
  readonly deletedBranches: readonly string[];
  /** Every commit rewrote an earlier one. */
  readonly amended: boolean;
  readonly errors: readonly FoundError[];
  readonly files: TouchedFiles;
  readonly edits: PendingEdits;
  /** Files or commits changed, a command changed something, or a sub-agent was launched to make something. */
  readonly changed: boolean;
  /** The same, without commits that only rewrote an earlier one. */
  readonly made: boolean;
  /** A file was written with the Write tool. */
  readonly created: boolean;
  readonly events: readonly string[];
}

/** Temporary files outside of the project are no change of it. */
function isScratchWork({ command }: ToolUse): boolean {
  const text = command?.whole ?? '';
  return isTemporary(text) && gitCalls(text).length === 0;
}

/** Whether it only reads or runs tests. What else it did may make tests pass: a service that it started. */
function onlyLooks({ name, command }: ToolUse): boolean {
  if (command === null) return LOOKING.has(toolKind(name));
  const stages = parseShell(command.whole).links.flatMap((link) => link.stages);
  return stages.map(purposeOfStage).every((purpose) => purpose === 'look' || purpose === 'test');
}

export function gatherEvidence(
  {
    toolUses,
    messages,
  }: {
    readonly toolUses: readonly ToolUse[];
    readonly messages: readonly Message[];
  },
  workdir: string,
  isCommitted: boolean,
): GatheredEvidence {
  const commands = new Map<string, CommandEvidence & { events: readonly string[] }>();
  const tests = new Map<string, TestEvidence & { events: readonly string[] }>();
  const stack = new CommitStack();
  const events: string[] = [];
  const pushes: PushEvidence[] = [];
  let testsUnclear = false;
  /** The last run of all tests, if it passed and nothing was changed after it: fewer tests that pass add nothing. */
  let all: string | null = null;
  /** Tests that failed since the last change: they fail again, whatever lines of them are shown. */
  const failing = new Set<string>();
  let mutated = false;
  let madeByCommand = false;
  for (const toolUse of toolUses) {
    if (isWriter(toolUse) || (toolUse.command !== null && mayChangeFiles(toolUse.command.whole))) all = null;
    if (!onlyLooks(toolUse)) failing.clear();
    if (toolUse.command !== null) stack.take(toolUse);
    if (toolUse.command === null) continue;
    // Refused or stopped: it says nothing about the tests.
    const ended = toolUse.outcome === 'cancelled' ? [] : endedTests(toolUse);
    const { short, purpose } = toolUse.command;
    if (purpose === 'look' && ended.length === 0) continue;
    if (
      (purpose === 'mutation' || purpose === 'commit') &&
      toolUse.outcome === 'ok' &&
      !isScratchWork(toolUse)
    ) {
      mutated = true;
      madeByCommand ||= !amendsCommit(toolUse.command.whole);
    }
    commands.set(short, { command: short, outcome: commandOutcome(toolUse), events: toolUse.events });
    for (const { command, outcome, runnerLine } of ended) {
      const name = shortIn(command, toolUse.command.folder);
      const failsAgain = failing.has(name) && tests.get(name)?.after === 'failed' && !isUnended(toolUse);
      if (outcome === null && failsAgain) continue;
      const earlier = tests.get(name);
      const before = earlier === undefined ? null : (earlier.before ?? earlier.after);
      tests.delete(name);
      // Whether what failed before still fails is unknown, or no longer so.
      if (outcome !== 'failed')
        for (const [known, { after }] of tests)
          if (
            after === 'failed' &&
            (coversTests(name, known) || (outcome === 'passed' && runsAllTests(name)))
          )
            tests.delete(known);
      testsUnclear = outcome === null;
      // The last outcome is unknown; an earlier one does not replace it.
      if (outcome === null) continue;
      tests.set(name, { command: name, before, after: outcome, runnerLine, events: toolUse.events });
      if (outcome === 'failed') {
        all = null;
        failing.add(name);
      } else if (runsAllTests(name)) all = name;
      const covering = all === null ? undefined : tests.get(all);
      if (covering === undefined) continue;
      tests.delete(covering.command);
      tests.set(covering.command, covering);
    }
    if (commitsOf(toolUse).length > 0) events.push(...toolUse.events);
    for (const { branch, hash, local } of pushesOf(toolUse)) {
      // Git prints no hash for a new branch: use the branch's last commit.
      const last = stack.commits.findLast((commit) => local === 'HEAD' || commit.branch === local);
      pushes.push({ branch, hash: hash ?? last?.hash ?? null });
      events.push(...toolUse.events);
    }
  }
  const opened = toolUses.flatMap((toolUse) =>
    pullRequestsOf(toolUse).map((one) => ({ one, events: toolUse.events })),
  );
  events.push(...opened.flatMap((one) => one.events));
  const { commits, rewrites, quietCommits } = stack;
  const files = touchedFilesOf(toolUses, workdir);
  const errors = errorsOf(toolUses, messages);
  const isMade = files.modified.length > 0 || launchedToMake(toolUses);
  const keptCommands = [...commands.values()].slice(-COMMANDS_MAX);
  const keptTests = [...tests.values()].slice(-TESTS_MAX);
  events.push(...files.events, ...[...keptCommands, ...keptTests, ...errors].flatMap((one) => one.events));
  return {
    commands: keptCommands.map(({ command, outcome }) => ({ command, outcome })),
    tests: keptTests.map(({ command, before, after, runnerLine }) => ({
      command,
      before,
      after,
      runnerLine,
    })),
    testsUnclear,
    commits: commits.map(({ amended: _, branch = null, ...commit }) => ({ ...commit, branch })),
    pushes,
    pullRequests: opened.map(({ one }) => one),
    rewrites,
    quietCommits,
    listedCommits: listedCommits(toolUses),
    deletedBranches: toolUses.flatMap(deletedBranches),
    amended: commits.length > 0 && commits.every(({ amended }) => amended),
    errors,
    files,
    edits: pendingEdits(toolUses, workdir, isCommitted, (toolUse) => launchedToMake([toolUse])),
    changed: isMade || commits.length > 0 || mutated,
    made: isMade || madeByCommand || commits.some(({ amended }) => !amended),
    created: toolUses.some((toolUse) => toolKind(toolUse.name) === 'create' && toolUse.outcome === 'ok'),
    events,
  };
}

/** What still failed when a part of a turn ended is left out: the work goes on in the next part. */
export function withoutFailures(gathered: GatheredEvidence): GatheredEvidence {
  return {
    ...gathered,
    tests: gathered.tests.filter(({ after }) => after !== 'failed'),
    testsUnclear: gathered.testsUnclear || gathered.tests.at(-1)?.after === 'failed',
    errors: gathered.errors.filter(({ fixedBy }) => fixedBy !== null),
  };
}
