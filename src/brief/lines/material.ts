// What a brief is made from: a few rows of the `context` view, read by whoever asks for it.
import type {
  ContextRow,
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
  /** Prompts of the newest session that left no summary, with the last words of their answer. */
  readonly recentPrompts: readonly RecentPrompt[];
  /** After a compaction what was asked in its session, newest first; else nothing. */
  readonly asked: readonly RecentPrompt[];
  readonly saved: readonly SavedLine[];
  readonly decisions: readonly ContextRow[];
  readonly gotchas: readonly ContextRow[];
  readonly tests: readonly Tally[];
  readonly commands: readonly Tally[];
  readonly files: readonly Tally[];
  /** The session of the newest summary, or of the one that goes on. */
  readonly lastSession: (SessionFacts & { readonly id: string }) | null;
  /** The agent's own recap of that session, where nothing was asked after it. */
  readonly recap: { readonly id: string; readonly at: number | null; readonly text: string } | null;
  /** The sessions of the newest observations, by id. */
  readonly sessions: ReadonlyMap<string, SessionFacts>;
  /** The session that goes on; null where a new one begins or nobody said which. */
  readonly session: { readonly id: string; readonly rows: readonly ContextRow[] } | null;
}

export interface SessionFacts {
  readonly title: string | null;
  readonly branch: string | null;
  readonly turns: number;
}

/** A prompt that left no summary, or any of a compacted session. */
export interface RecentPrompt {
  readonly prompt: PromptLine;
  /** The turn is known to have no end so far: the answer is what was said on the way. */
  readonly unfinished: boolean;
  /** Its last words; null where nothing was answered, or a summary tells what came of it. */
  readonly answer: string | null;
}
