// Lists of what is remembered, newest first, page by page.

import type { Usage } from '../../log/index.ts';
import type { Evidence, ItemCounts } from '../../projections/index.ts';
import type { ItemMarks } from './act.ts';
import type { AsOfOptions, AsOfReport, SoFarOptions } from './as-of.ts';

export const LIST_KINDS = ['session', 'turn', 'observation', 'summary', 'prompt', 'memory'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

export interface ListOptions extends AsOfOptions, SoFarOptions {
  /** A project by name, key or folder; with it the projects below it. Default: all. */
  readonly project?: string;
  /** A session's id, or the beginning of it. Default: all. */
  readonly session?: string;
  /** The agent of `session`: several agents may have given one the same id. */
  readonly agent?: string;
  /** Default 20, at most 1,000. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

export interface ListAnswer<K extends ListKind = ListKind> {
  /** Newest first, sessions by what happened last in them; items without a time last. */
  readonly items: readonly ListedItems[K][];
  /** Pass it as `after` for the next page; null on the last one. */
  readonly next: string | null;
  /** With `soFar`: what may be missing, one sentence each. Absent if nothing is. */
  readonly degraded?: readonly string[];
  readonly asOf?: AsOfReport;
}

export interface ListedItems {
  readonly session: ListedSession;
  readonly turn: ListedTurn;
  readonly observation: ListedObservation;
  readonly summary: ListedSummary;
  readonly prompt: ListedPrompt;
  readonly memory: ListedMemory;
}

/** Times are ISO 8601, null if unknown. */
export interface ListedSession {
  readonly id: string;
  readonly agent: string;
  /** The agent's, else that of its first prompt; null if it has neither. */
  readonly title: string | null;
  readonly project: string;
  readonly workdir: string;
  readonly branch: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly endReason: string | null;
  /** First start, resumes, clears, compactions. */
  readonly starts: number;
  /** Sessions that went on where this one ended. */
  readonly continuedIn: readonly string[];
  readonly turns: number;
  readonly counts: ItemCounts;
  /** Items that are copies of another session's. */
  readonly copies: number;
  readonly usage: Usage;
}

export interface ListedTurn {
  readonly id: string;
  readonly session: string;
  /** As that of the session in the list of sessions. */
  readonly sessionTitle: string | null;
  readonly agent: string;
  readonly project: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Id and title of its prompt; null before the first prompt, in a private turn, and when it was forgotten. */
  readonly prompt: { readonly id: string; readonly title: string } | null;
  readonly private: boolean;
  /** Its prompt was forgotten. */
  readonly forgotten: boolean;
  /** Every item of it is a copy. */
  readonly inherited: boolean;
  /** No end of it is recorded. */
  readonly unfinished: boolean;
  readonly counts: ItemCounts;
  readonly usage: Usage;
}

interface OfTurn {
  readonly id: string;
  readonly turn: string;
  readonly session: string;
  readonly agent: string;
  readonly project: string;
  readonly at: string | null;
  readonly title: string;
  /** Set if a person acted on it. */
  readonly marks?: ItemMarks;
}

export interface ListedObservation extends OfTurn {
  /** Counted from 1 within the turn. */
  readonly part: number;
  readonly type: string;
  readonly unfinished: boolean;
  readonly subtitle: string;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
  readonly evidence: Evidence;
}

export interface ListedSummary extends OfTurn {
  readonly unfinished: boolean;
  /** How the turn ended: with an answer, or because the person stopped it. null: no end is on record. */
  readonly end: 'answered' | 'stopped' | null;
  readonly request: string;
  /** agent: the request is an accepted plan. */
  readonly requestBy: 'person' | 'agent';
  readonly investigated: string | null;
  readonly learned: string | null;
  readonly completed: string | null;
  readonly nextSteps: readonly string[];
  readonly notes: string | null;
  readonly files: readonly string[];
}

export interface ListedPrompt extends OfTurn {
  readonly text: string;
  /** Whether it is an accepted plan of the agent. */
  readonly plan: boolean;
}

/** A memory that was saved on purpose. */
export interface ListedMemory extends Omit<OfTurn, 'turn' | 'session'> {
  readonly session: string | null;
  readonly type: string | null;
  readonly text: string;
  readonly files: readonly string[];
  readonly concepts: readonly string[];
}
