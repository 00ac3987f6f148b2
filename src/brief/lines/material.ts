// The input of a brief: rows of the `context` view and a few others, read by context-of.ts.
import type {
  ContextRow,
  FailingCall,
  ObservationLine,
  PromptLine,
  SavedLine,
  SummaryLine,
  Tally,
} from '../../../projections/index.ts';
import type { SessionStartKind } from '../../api.ts';

/** Rows newest first. */
export interface BriefMaterial {
  readonly project: string;
  readonly occasion: SessionStartKind;
  readonly summaries: readonly SummaryLine[];
  readonly observations: readonly ObservationLine[];
  readonly prompts: readonly PromptLine[];
  /** Prompts of the newest session without a summary, with the end of their answer. */
  readonly recentPrompts: readonly RecentPrompt[];
  /** Other prompts, newest first, whose turn was cut off or that have no answer, and after which nothing came of their session. */
  readonly unanswered: readonly RecentPrompt[];
  /** After a compaction: the prompts of its session, newest first; otherwise empty. */
  readonly asked: readonly RecentPrompt[];
  readonly saved: readonly SavedLine[];
  /** Standing notes of the person. */
  readonly notes: readonly ContextRow[];
  /** Without notes. Rows that are here are not in `saved`, `decisions` and `gotchas`. Rows that a person superseded are nowhere. */
  readonly pinned: readonly ContextRow[];
  readonly decisions: readonly ContextRow[];
  readonly gotchas: readonly ContextRow[];
  readonly tests: readonly Tally[];
  /** Commands that failed several times and never passed, newest first. */
  readonly failing: readonly FailingCall[];
  /** The session of the newest summary, or the one that continues. */
  readonly lastSession: (SessionFacts & { readonly id: string }) | null;
  /** The agent's own recap of that session, if no prompt came after it. */
  readonly recap: { readonly id: string; readonly at: number | null; readonly text: string } | null;
  /** The sessions of the newest observations, by id. */
  readonly sessions: ReadonlyMap<string, SessionFacts>;
  /** Ids of rows that were shown often and never used, except pinned ones. */
  readonly unused: ReadonlySet<string>;
  /** The session that continues; null for a new session, or if it is not known. */
  readonly session: { readonly id: string; readonly rows: readonly ContextRow[] } | null;
}

export interface SessionFacts {
  readonly title: string | null;
  readonly branch: string | null;
  readonly turns: number;
}

/** The person stopped the turn, it ended in an error, or it has no recorded end so far. */
export type TurnCut = 'stopped' | 'failed' | 'unfinished';

/** A prompt without a summary, or any prompt of a compacted session. */
export interface RecentPrompt {
  readonly prompt: PromptLine;
  /** Why what the agent said last is not the end of its turn; null if it is, as far as is known. */
  readonly cut: TurnCut | null;
  /** The end of what the agent said last; null if there is nothing, or if a summary covers the turn. */
  readonly answer: string | null;
  /** The agent said that before a tool use. */
  readonly onTheWay: boolean;
}
