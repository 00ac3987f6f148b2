// What a turn leaves that is worth reading: observations (one a part of the turn) and one summary. Made by rules
// from what was asked, what the agent said in the end, and what its tools did; every field stands on events, so
// `why` can lead back to them. Prose is quoted from the agent and may be wrong; evidence comes from tools alone.

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
  'pattern',
  'trade-off',
] as const;
export type Concept = (typeof CONCEPTS)[number];

export type TestOutcome = 'passed' | 'failed';

export interface CommandEvidence {
  /** One line, without `cd`, redirections and pipes that only shorten its output. */
  readonly command: string;
  readonly outcome: 'ok' | 'failed' | 'cancelled' | null;
}

export interface TestEvidence {
  readonly command: string;
  /** How it ended the first time; null when it ran once. */
  readonly before: TestOutcome | null;
  /** How it ended the last time. */
  readonly after: TestOutcome;
  /** The runner's own last words: "389 tests, 0 failures". */
  readonly runnerLine: string | null;
}

export interface CommitEvidence {
  /** Abbreviated, as git printed it. */
  readonly hash: string | null;
  /** Subject and body, without trailers. */
  readonly message: string;
  /** As git named it; null where it did not. */
  readonly branch?: string | null;
}

/** A push that git confirmed. */
export interface PushEvidence {
  /** The local branch. */
  readonly branch: string;
  /** Where the branch stands since; null for a new one. */
  readonly hash: string | null;
}

/** A pull request that was opened. */
export interface PullRequestEvidence {
  readonly number: number;
  readonly address: string;
}

export interface ErrorEvidence {
  /** The line that says it. */
  readonly error: string;
  readonly command: string;
  /** What made it go away; null: nothing did within the turn. */
  readonly fixedBy: string | null;
}

export interface Evidence {
  readonly commands: readonly CommandEvidence[];
  readonly tests: readonly TestEvidence[];
  readonly commits: readonly CommitEvidence[];
  readonly pushes: readonly PushEvidence[];
  readonly pullRequests: readonly PullRequestEvidence[];
  /** A rebase or a reset was run: commits made before it may be gone. */
  readonly rewroteHistory: boolean;
  readonly errors: readonly ErrorEvidence[];
  /** Sentences that state a choice with its reason, the person's own first. */
  readonly decisions: readonly string[];
  /** What the agent found out on the way: a cause, and behind an arrow what it did about it. */
  readonly lessons: readonly string[];
  /** Ids of the events it stands on, sorted. */
  readonly events: readonly string[];
}

interface WhereAndWhen {
  readonly id: string;
  readonly turn: string;
  readonly agent: string;
  readonly session: string;
  /** The session's place, as documents have it. */
  readonly workdir: string;
  /** When its last item took place, Unix ms; null when nobody said. */
  readonly at: number | null;
  readonly order: string;
}

export interface ObservationRow extends WhereAndWhen {
  /** Counted from 1. */
  readonly part: number;
  readonly parts: number;
  readonly type: ObservationType;
  /** The last part of a turn that is known to have no end so far: what it says was said or done on the way. */
  readonly unfinished: boolean;
  /** One line, at most 90 characters. */
  readonly title: string;
  /** One sentence; empty when there is nothing to add. */
  readonly subtitle: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly Concept[];
  /** Relative to the place where they are inside it, at most 50. */
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
  readonly evidence: Evidence;
}

export interface SummaryRow extends WhereAndWhen {
  readonly title: string;
  /** The turn is known to have no end so far: the agent was killed, or works still. */
  readonly unfinished: boolean;
  readonly request: string;
  /** agent: an accepted plan, by its heading. */
  readonly requestBy: 'person' | 'agent';
  readonly investigated: string | null;
  readonly learned: string | null;
  readonly completed: string | null;
  readonly nextSteps: readonly string[];
  readonly notes: string | null;
  /** The turn's observations, in order. */
  readonly observations: readonly string[];
  readonly events: readonly string[];
}
