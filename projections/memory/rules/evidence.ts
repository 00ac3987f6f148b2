// What tools did in a part of a turn: commands and how they ended, tests before and after, commits, errors with
// their fixes, files. Nothing here is taken from prose.
import type {
  CommandEvidence,
  CommitEvidence,
  PullRequestEvidence,
  PushEvidence,
  TestEvidence,
} from '../observation.ts';
import { shortIn } from './commands.ts';
import {
  commitsOf,
  type FoundCommit,
  isSubjectOf,
  loggedBy,
  mayCarryCommits,
  mayDropCommits,
  quietCommitsOf,
  withoutDeletedBranch,
  withoutRewritten,
} from './commits.ts';
import { launchedToMake } from './doing.ts';
import { errorsOf, type FoundError } from './errors.ts';
import { type Files, filesOf } from './files.ts';
import { commitsToldOf } from './reported-commits.ts';
import { pullRequestsOf, pushesOf } from './shares.ts';
import type { Said, Use } from './story.ts';
import { commandOutcome, endedTests } from './test-outcome.ts';

const COMMANDS_MAX = 12;
const TESTS_MAX = 6;

export interface Gathered {
  readonly commands: readonly CommandEvidence[];
  readonly tests: readonly TestEvidence[];
  readonly commits: readonly CommitEvidence[];
  readonly pushes: readonly PushEvidence[];
  readonly pullRequests: readonly PullRequestEvidence[];
  readonly rewroteHistory: boolean;
  /** Every commit rewrote one that was there. */
  readonly amended: boolean;
  readonly errors: readonly FoundError[];
  readonly files: Files;
  /** Files, commits, commands that change something, or sub-agents launched to. */
  readonly changed: boolean;
  /** A file was written that was not read before. */
  readonly created: boolean;
  readonly events: readonly string[];
}

/** A file for the moment outside of the project is no change of it. */
function isScratchWork({ command }: Use): boolean {
  const whole = command?.whole ?? '';
  return SCRATCH.test(whole) && !/\bgit\b|\bgh\b/.test(whole);
}

/** Branches and tags put away: nothing of the project is another for it. */
function tidiesUp({ command }: Use): boolean {
  if (command === null || !TIDIES.test(command.short)) return false;
  return command.short
    .split(/\s*(?:&&|;|\|)\s*/)
    .every((link) => TIDIES.test(link) || LOOKS_AFTER.test(link));
}

const TIDIES = /^git (?:branch -[dD]|tag -d|worktree remove|stash drop|remote prune)\b/;
const LOOKS_AFTER = /^(?:git (?:branch|tag|status|log|worktree list|rev-parse)|echo|cat|head|tail|wc)\b/;

const SCRATCH =
  /(?:^|[\s"'=])(?:\/tmp\/|\/private\/tmp\/|\$TMPDIR|\$TEMP|%TEMP%)|\bscratchpad\b|\/var\/folders\//i;

export function gather(
  {
    uses,
    said,
    aside,
  }: { readonly uses: readonly Use[]; readonly said: readonly Said[]; readonly aside: readonly Said[] },
  place: string,
): Gathered {
  const commands = new Map<string, CommandEvidence & { events: readonly string[] }>();
  const tests = new Map<string, TestEvidence & { events: readonly string[] }>();
  const commits = new Map<string, FoundCommit>();
  const events: string[] = [];
  const quiet: { readonly message: string; readonly events: readonly string[] }[] = [];
  const pushes: PushEvidence[] = [];
  let mutated = false;
  let carried = false;
  for (const use of uses) {
    quiet.push(...quietCommitsOf(use).map((message) => ({ message, events: use.events })));
    const logged = loggedBy(use);
    const confirmed = quiet.find(({ message }) => logged !== null && isSubjectOf(logged.subject, message));
    if (logged !== null && confirmed !== undefined && !commits.has(logged.hash)) {
      commits.set(logged.hash, {
        hash: logged.hash,
        message: confirmed.message,
        branch: null,
        amended: false,
      });
      events.push(...confirmed.events, ...use.events);
      quiet.splice(quiet.indexOf(confirmed), 1);
    }
    if (use.command === null || use.command.purpose === 'look') continue;
    const { short, purpose } = use.command;
    if (
      (purpose === 'mutation' || purpose === 'commit') &&
      use.outcome === 'ok' &&
      !isScratchWork(use) &&
      !tidiesUp(use)
    )
      mutated = true;
    commands.set(short, { command: short, outcome: commandOutcome(use), events: use.events });
    for (const { command, outcome, said } of endedTests(use)) {
      const name = shortIn(command, use.command.whole, place);
      const stood = tests.get(name);
      const before = stood === undefined ? null : (stood.before ?? stood.after);
      tests.delete(name);
      // How it ended the last time is not known: what stood before says nothing of that.
      if (outcome === null) continue;
      tests.set(name, { command: name, before, after: outcome, said, events: use.events });
    }
    carried ||= mayCarryCommits(use.command.whole);
    if (use.outcome === 'ok' && !carried) withoutDeletedBranch(commits, use.command.whole);
    const rewroteOwn = use.outcome === 'ok' && withoutRewritten(commits, use.command.whole);
    for (const commit of commitsOf(use)) {
      for (const [name, { message }] of commits) if (message === commit.message) commits.delete(name);
      commits.set(commit.hash ?? commit.message, rewroteOwn ? { ...commit, amended: false } : commit);
      events.push(...use.events);
    }
    for (const { branch, hash } of pushesOf(use)) {
      // A new branch is named without a hash: it stands where its last commit was made.
      const last = [...commits.values()].findLast((commit) => commit.branch === branch);
      pushes.push({ branch, hash: hash ?? last?.hash ?? null });
      events.push(...use.events);
    }
  }
  const opened = uses.flatMap((use) => pullRequestsOf(use).map((one) => ({ one, events: use.events })));
  events.push(...opened.flatMap((one) => one.events));
  const seen = new Set([...commits.values()].map(({ hash }) => hash?.slice(0, 7)));
  const shown = uses.filter(({ command }) => command !== null && /\bgit\b/.test(command.whole));
  for (const { events: told, ...commit } of commitsToldOf(uses)) {
    const isKnown = [...commits.values()].some(({ message }) => message === commit.message);
    // A report is a claim: git must show the commit too.
    if (seen.has(commit.hash!) || isKnown || !shown.some(({ tail }) => tail.includes(commit.hash!))) continue;
    commits.set(commit.hash!, { ...commit, amended: false });
    events.push(...told);
  }
  const files = filesOf(uses, place);
  const errors = errorsOf(uses, said, aside);
  const keptCommands = [...commands.values()].slice(-COMMANDS_MAX);
  const keptTests = [...tests.values()].slice(-TESTS_MAX);
  events.push(...files.events, ...[...keptCommands, ...keptTests, ...errors].flatMap((one) => one.events));
  return {
    commands: keptCommands.map(({ command, outcome }) => ({ command, outcome })),
    tests: keptTests.map(({ command, before, after, said }) => ({ command, before, after, said })),
    commits: [...commits.values()].map(({ hash, message, branch = null }) => ({ hash, message, branch })),
    pushes,
    pullRequests: opened.map(({ one }) => one),
    rewroteHistory: uses.some(({ command }) => command !== null && mayDropCommits(command.whole)),
    amended: commits.size > 0 && [...commits.values()].every(({ amended }) => amended),
    errors,
    files,
    changed: files.modified.length > 0 || commits.size > 0 || mutated || launchedToMake(uses),
    created: uses.some((use) => use.name === 'Write' && use.outcome === 'ok'),
    events,
  };
}
