// The rows that are derived from a turn: observations (one per part) and one summary. Rules derive them from the request,
// the final answer and the tool uses. Every row lists its source events, so that `why` can show them. Prose is quoted from
// the agent and may be wrong; evidence comes from tools alone.
import type { Marks } from '../../documents/document.ts';

export const OBSERVATION_TYPES = [
  'bugfix',
  'feature',
  'refactor',
  'change',
  'discovery',
  'decision',
  'security',
] as const;
export type ObservationType = (typeof OBSERVATION_TYPES)[number];

export const CONCEPTS = [
  'how-it-works',
  'why-it-exists',
  'what-changed',
  'problem-solution',
  'gotcha',
  'trade-off',
] as const;
export type Concept = (typeof CONCEPTS)[number];

export type TestOutcome = 'passed' | 'failed';

export interface CommandEvidence {
  /** One line, without `cd`, redirections and pipes that only shorten the output. */
  readonly command: string;
  readonly outcome: 'ok' | 'failed' | 'cancelled' | null;
}

export interface TestEvidence {
  readonly command: string;
  /** Outcome of the first run; null when it ran once. */
  readonly before: TestOutcome | null;
  /** Outcome of the last run. */
  readonly after: TestOutcome;
  /** The runner's summary line: "389 tests, 0 failures". */
  readonly runnerLine: string | null;
}

export interface CommitEvidence {
  /** Abbreviated, as git printed it; null when it did not, or when the commit has another one since. */
  readonly hash: string | null;
  /** Subject and body, without trailers. */
  readonly message: string;
  /** As git printed it; null when it did not. */
  readonly branch?: string | null;
  /** Made with `--no-verify`: no hook checked it. */
  readonly unverified?: true;
  /** Set when a row is read, if a later turn rewrote it. What its own part rewrote is not there. */
  readonly rewritten?: Rewritten;
}

/** Whether a commit was rewritten or dropped: `maybe` when it is not known which commits were. */
export type Rewritten = 'yes' | 'maybe';

/** What a command rewrote or dropped of the commits before it. */
export interface Rewrite {
  /** So many of the last ones; null: any of them. */
  readonly commits: number | null;
  /** null: of the branch that was checked out, whichever that was. */
  readonly branch: string | null;
  /** Only those that had not been pushed. */
  readonly unpushed?: true;
}

/** A push that git confirmed. */
export interface PushEvidence {
  /** The local branch. */
  readonly branch: string;
  /** The new commit of the branch; null when git did not print it for a new branch. */
  readonly hash: string | null;
  /** As of the commit. */
  readonly rewritten?: Rewritten;
}

/** A pull request that was opened. */
export interface PullRequestEvidence {
  readonly number: number;
  readonly address: string;
}

export interface ErrorEvidence {
  /** The decisive line of the error. */
  readonly error: string;
  readonly command: string;
  /** What fixed it; null when nothing did within the turn. */
  readonly fixedBy: string | null;
}

/** `changed`: modified, or git did not tell. */
export type ListedAs = 'changed' | 'new' | 'deleted' | 'renamed';

/** The edits that are, as far as tools show, neither committed nor undone at the end of the part. */
export interface PendingEdits {
  /** Relative to the workdir, the last edited last. */
  readonly files: readonly string[];
  /** What the edits of each of these files do to its lines, as one number: 0 together with earlier ones if nothing is left of them. */
  readonly lines: readonly (number | null)[];
  /** Which edits from before the part still count: null for all, else those of these files. */
  readonly earlier: readonly string[] | null;
  /** Other changed files that git listed last; null when it listed none. A commit empties the list. */
  readonly listed: readonly string[] | null;
  /** As what git listed each of them. */
  readonly listedAs: readonly ListedAs[];
  /** The changed files that git listed before the part changed anything. */
  readonly listedBefore: readonly string[];
  /** A command or a sub-agent may have changed files, after git listed them, that no tool names. */
  readonly incomplete: boolean;
  /** Files whose edits were thrown away. */
  readonly discarded: readonly string[];
  /** Files that were removed. */
  readonly removed: readonly string[];
  /** Files that were moved, in order: the old name and the new one, which is empty if the command does not tell it. */
  readonly moved: readonly (readonly [from: string, to: string])[];
  /** A commit was made, as far as is known: a quiet one prints nothing. */
  readonly committed: boolean;
}

/** What a part says no longer is so. */
export interface Ended {
  /** A symbol. */
  readonly name: string;
  /** Where it no longer is; null: the name is no longer in use. */
  readonly from: string | null;
}

export interface Evidence {
  readonly commands: readonly CommandEvidence[];
  readonly tests: readonly TestEvidence[];
  /** Tests ran after the last of these, and how they ended is not on record. */
  readonly testsUnclear: boolean;
  readonly commits: readonly CommitEvidence[];
  readonly pushes: readonly PushEvidence[];
  readonly pullRequests: readonly PullRequestEvidence[];
  /** Commits from before the part may no longer exist. */
  readonly rewroteHistory: boolean;
  /** What it did to them, in order. */
  readonly rewrites: readonly Rewrite[];
  /** How many commits of the part still exist at its end about which git printed nothing; absent for none. */
  readonly quietCommits?: number;
  /** Subjects of commits that git listed, the newest first; absent for none. */
  readonly listedCommits?: readonly string[];
  /** Branches that were deleted; absent for none. */
  readonly deletedBranches?: readonly string[];
  /** Absent for nothing. */
  readonly ended?: readonly Ended[];
  readonly edits: PendingEdits;
  readonly errors: readonly ErrorEvidence[];
  /** Sentences that state a choice with its reason, those of the person first. */
  readonly decisions: readonly string[];
  /** What the agent learned on the way: a cause, and after an arrow what it did about it. */
  readonly lessons: readonly string[];
  /** Ids of the source events, sorted. */
  readonly events: readonly string[];
}

/** How a turn ended: with an answer, or because the person stopped it. null: no end is on record. */
export type TurnEnd = 'answered' | 'stopped' | null;

interface WhereAndWhen {
  readonly id: string;
  readonly turn: string;
  readonly agent: string;
  readonly session: string;
  /** The session's workdir, as in documents. */
  readonly workdir: string;
  /** Time of its last item, Unix ms; null when unknown. */
  readonly at: number | null;
  readonly order: string;
}

export interface ObservationRow extends WhereAndWhen {
  /** Counted from 1. */
  readonly part: number;
  /** One of OBSERVATION_TYPES; of a model’s reading, one of its mode, or as the model wrote it. */
  readonly type: string;
  /** The last part of a turn without a recorded end: its texts are interim. */
  readonly unfinished: boolean;
  /** One line, at most 90 characters. */
  readonly title: string;
  /** One sentence; empty when there is nothing to add. */
  readonly subtitle: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  /** Relative to the workdir where they are inside it, at most 50. */
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
  readonly evidence: Evidence;
  /** Set if a person acted on it. */
  readonly marks?: Marks;
  /** Of the model whose prose this is; absent where the rules’ own is. */
  readonly recipe?: string;
}

/** What a turn left open. */
export interface Step {
  /**
   * offered, asked: to and of the person, shown with a label; for-person: the same in the agent's own words; announced: what
   * the agent was about to do at the end; task: anything else.
   */
  readonly kind: 'offered' | 'asked' | 'for-person' | 'announced' | 'task';
  /** Without the label. */
  readonly text: string;
}

export interface SummaryRow extends WhereAndWhen {
  readonly title: string;
  /** The turn has no recorded end: the agent was killed or is still working. */
  readonly unfinished: boolean;
  readonly end: TurnEnd;
  readonly request: string;
  /** agent: the request is an accepted plan, named by its heading. */
  readonly requestBy: 'person' | 'agent';
  readonly investigated: string | null;
  readonly learned: string | null;
  readonly completed: string | null;
  readonly nextSteps: readonly Step[];
  readonly notes: string | null;
  /** Files modified, then files read; the first ones of each. */
  readonly files: readonly string[];
  /** How many observations the turn has. */
  readonly parts: number;
  /** Those of the request, the quoted replies and the last part. Observations list those of earlier parts. */
  readonly events: readonly string[];
  /** Set if a person acted on it. */
  readonly marks?: Marks;
  /** As of an observation. */
  readonly recipe?: string;
}
