// Events in time order.
import type { DocumentKind } from '../../projections/index.ts';
import type { ItemMarks } from './act.ts';
import type { AsOfOptions, AsOfReport, SoFarOptions } from './as-of.ts';

export interface TimelineOptions extends AsOfOptions, SoFarOptions {
  /** Any id or id prefix: shows what came before and after it in its project. */
  readonly around?: string;
  readonly project?: string;
  /** A session's id, or the beginning of it. */
  readonly session?: string;
  /** As in search. */
  readonly since?: string | number;
  readonly until?: string | number;
  /** Default 20, at most 1,000. */
  readonly limit?: number;
  /** With `around`: how many rows before and after it, instead of half of `limit` each. At most 1,000. */
  readonly before?: number;
  readonly after?: number;
}

export interface TimelineAnswer {
  /** Oldest first. */
  readonly rows: readonly TimelineRow[];
  readonly degraded: readonly string[];
  readonly asOf?: AsOfReport;
}

export interface TimelineRow {
  readonly id: string;
  readonly kind: DocumentKind | 'session' | 'turn';
  readonly type: string | null;
  /** Set if an agent saved this memory. */
  readonly author?: 'agent';
  /** Set if a person acted on it. */
  readonly marks?: ItemMarks;
  readonly title: string;
  readonly project: string;
  readonly session: string | null;
  /** ISO 8601; null if the time is unknown. */
  readonly at: string | null;
}
