// The rows and keys of the `context` view. Times in keys are inverted, so that a range begins with the newest row.
//
//   row/<workdir>/<kind>/<time>/<id>             ContextRow
//   lasting/<workdir>/<decision|gotcha|note|pinned>/<time>/<id>   key of its row: shown however old it is
//   failure/<workdir>/<time>/<id>               FailureRow
//   session/<session>/<time>/<id>                key of its row
//   id/<id>                                      key of its row
//   tally/<workdir>/test/<name>   the number of observations in which this test passed
//   tally/<workdir>/call/<program and task>   the number of tool uses in which it passed, as far as is known
//   rank/<workdir>/<count>/<name>  the same of tests, most frequent first
import type { DocumentKind, FailedRun, Marks } from '../documents/document.ts';
import { newestFirst } from '../engine/store/newest-first-keys.ts';
import { below, key } from '../engine/store/row-keys.ts';
import type {
  CommandEvidence,
  Ended,
  ErrorEvidence,
  PendingEdits,
  PullRequestEvidence,
  PushEvidence,
  Rewritten,
  Step,
  TestEvidence,
  TurnEnd,
} from '../extract/transcript/observation.ts';

export type ContextKind = ContextRow['kind'];
export type Lasting = 'decision' | 'gotcha' | 'note' | 'pinned';
/** Calls are looked up by name, and need no rank. */
export type TallyKind = 'test' | 'call';

type LineMarks = Pick<Marks, 'pinned' | 'superseded'> & { readonly edited?: { readonly at: number | null } };

interface Base {
  readonly id: string;
  readonly workdir: string;
  readonly agent: string;
  /** null for a memory saved outside of any session. */
  readonly session: string | null;
  readonly turn: string | null;
  /** Unix ms; null when unknown. */
  readonly at: number | null;
  /** Set if it has no time: its order within the session, compared as strings. */
  readonly order?: string;
  readonly title: string;
  /** Set if a person acted on it. An edited text is in the fields of the row. */
  readonly marks?: LineMarks;
}

export interface SummaryLine extends Base {
  readonly kind: 'summary';
  /** No end of the turn is recorded so far. */
  readonly unfinished: boolean;
  /** How the turn ended; null: no end is on record. */
  readonly end: TurnEnd;
  readonly request: string;
  /** agent: the request is an accepted plan, named by its heading. */
  readonly requestBy: 'person' | 'agent';
  readonly investigated: string | null;
  readonly learned: string | null;
  readonly completed: string | null;
  /** `completed` says only what tools show, in no words of the agent. */
  readonly onlyShown: boolean;
  readonly nextSteps: readonly Step[];
  readonly notes: string | null;
}

export interface ObservationLine extends Base {
  readonly kind: 'observation';
  readonly type: string;
  /** As of a summary. */
  readonly unfinished: boolean;
  readonly subtitle: string;
  readonly narrative: string;
  /** The first facts of the agent's own list. */
  readonly facts: readonly string[];
  /** Modified files. */
  readonly files: readonly string[];
  readonly commands: readonly CommandEvidence[];
  readonly tests: readonly TestEvidence[];
  readonly testsUnclear: boolean;
  readonly commits: readonly CommitLine[];
  readonly pushes: readonly PushEvidence[];
  readonly pullRequests: readonly PullRequestEvidence[];
  readonly rewroteHistory: boolean;
  /** As of Evidence. */
  readonly listedCommits?: readonly string[];
  readonly deletedBranches?: readonly string[];
  readonly ended?: readonly Ended[];
  readonly edits: PendingEdits;
  readonly errors: readonly ErrorEvidence[];
  readonly decisions: readonly string[];
  /** What was learned on the way, and what was done about it. */
  readonly lessons: readonly string[];
}

export interface PromptLine extends Base {
  readonly kind: 'prompt';
  /** The request without pasted code and output; for an accepted plan its heading. */
  readonly text: string;
  readonly plan: boolean;
}

export interface CommitLine {
  readonly hash: string | null;
  readonly branch: string | null;
  readonly subject: string;
  /** The rest of the message as sentences; may be empty. */
  readonly body: string;
  readonly unverified?: true;
  /** As of CommitEvidence. */
  readonly rewritten?: Rewritten;
}

export interface SavedLine extends Base {
  readonly kind: 'saved';
  readonly type: string | null;
  readonly text: string;
  /** Set if an agent saved it. */
  readonly author?: 'agent';
}

/** A tool use whose only command failed. */
export interface FailureRow extends FailedRun {
  readonly id: string;
  readonly agent: string;
  readonly session: string;
  readonly turn: string;
  readonly at: number | null;
  readonly call: string;
}

/** Something pinned that no other row shows. */
export interface PinnedLine extends Base {
  readonly kind: 'pinned';
  readonly of: DocumentKind;
  readonly text: string;
}

export type ContextRow = SummaryLine | ObservationLine | PromptLine | SavedLine | PinnedLine;
export type RowOf<K extends ContextKind> = Extract<ContextRow, { kind: K }>;

export const CONTEXT_KINDS: readonly ContextKind[] = ['summary', 'observation', 'prompt', 'saved', 'pinned'];

const COUNT_MAX = 99_999_999;

export const contextKeys = {
  row: (row: ContextRow) => key('row', row.workdir, row.kind, placeOf(row), row.id),
  rows: (workdir: string, kind: ContextKind) => below('row', workdir, kind),
  rowsOf: (workdir: string) => below('row', workdir),
  allRows: () => below('row'),
  lasting: (what: Lasting, row: ContextRow) => key('lasting', row.workdir, what, placeOf(row), row.id),
  lastings: (workdir: string, what: Lasting) => below('lasting', workdir, what),
  ofSession: (session: string, row: ContextRow) => key('session', session, placeOf(row), row.id),
  allOfSession: (session: string) => below('session', session),
  id: (id: string) => key('id', id),
  failure: (workdir: string, { at, id }: FailureRow) => key('failure', workdir, newestFirst(at), id),
  failures: (workdir: string) => below('failure', workdir),
  tallies: (workdir: string, kind: TallyKind) => below('tally', workdir, kind),
  tally: (workdir: string, kind: TallyKind, name: string) => key('tally', workdir, kind, name),
  rank: (workdir: string, count: number, name: string) =>
    key('rank', workdir, String(COUNT_MAX - count).padStart(8, '0'), name),
  ranks: (workdir: string) => below('rank', workdir),
} as const;

/** A row's place among others, the newest first. Rows without a time are in the order of each session. */
export function placeOf({ at, session, order = '' }: Base): string {
  return newestFirst(at, `${session ?? ''} ${order}`);
}

/** Within a prefix of rows: a key that sorts after every row not earlier than `at`, Unix ms. */
export function from(prefix: string, at: number): string {
  return `${prefix}${newestFirst(at - 1)}`;
}

/** The count in a key made by `rank`. */
export function countOfRank(part: string): number {
  return COUNT_MAX - Number(part);
}
