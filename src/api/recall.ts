// What earlier sessions know about what a session is doing right now.
import type { DocumentKind } from '../../projections/index.ts';
import type { InjectedItem } from './context.ts';

/** A prompt was submitted; a command failed; a file is about to be read or changed. */
export const RECALL_OCCASIONS = ['prompt', 'error', 'edit'] as const;
export type RecallOccasion = (typeof RECALL_OCCASIONS)[number];

interface RecallPlace {
  /** A project by name, key or folder; default: the project of `cwd`. */
  readonly project?: string;
  /** Default: this process's working folder. */
  readonly cwd?: string;
  /** The session that asks: nothing of its own is recalled. */
  readonly session?: string;
  /** The agent of the session: nothing is recalled that the session was given at another moment, as the log records it. */
  readonly agent?: string;
  /** Text that the session has been given already: what it says is not repeated. */
  readonly given?: string;
  /** Ids of items that are not recalled, such as those recalled before. */
  readonly without?: readonly string[];
}

export interface RecallForPrompt extends RecallPlace {
  readonly occasion: 'prompt';
  /** The prompt. Private parts and secrets are not looked up. */
  readonly text: string;
}

export interface RecallForError extends RecallPlace {
  readonly occasion: 'error';
  /** The command line that failed. */
  readonly command: string;
  /** What it printed. */
  readonly error: string;
}

export interface RecallForEdit extends RecallPlace {
  readonly occasion: 'edit';
  /** Absolute path of the file. */
  readonly file: string;
  /** When the file last changed, Unix ms. What is older is not recalled: it may no longer hold. */
  readonly changedAt: number;
}

export type RecallOptions = RecallForPrompt | RecallForError | RecallForEdit;

export interface RecallAnswer {
  /**
   * For the agent, in one tag, at most 1,600 characters; empty when nothing bears on it clearly enough, when the folder is
   * excluded, and while recording is paused.
   */
  readonly text: string;
  /** Estimated: characters / 4, rounded up. */
  readonly tokens: number;
  readonly project: string;
  /** What the text quotes, best first; at most three. */
  readonly items: readonly RecalledItem[];
}

export interface RecalledItem extends InjectedItem {
  readonly kind: DocumentKind;
  /** Null for a saved memory. */
  readonly turn: string | null;
}
