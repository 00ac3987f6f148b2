// One item by its id: its whole content, and the events it came from.
import type { Json, LogEvent } from '../../log/index.ts';
import type { DocumentKind } from '../../projections/index.ts';
import type { ItemMarks } from './act.ts';
import type { AsOfReport } from './as-of.ts';

/** A document, a session, a turn or an event, by id, with its whole content. */
export interface ShownItem {
  readonly id: string;
  readonly kind: DocumentKind | 'session' | 'turn' | 'event';
  readonly type: string | null;
  /** Set if a person acted on it. */
  readonly marks?: ItemMarks;
  readonly title: string;
  readonly text: string;
  readonly project: string | null;
  readonly session: string | null;
  readonly agent: string;
  readonly at: string | null;
  readonly files: readonly string[];
  readonly events: readonly string[];
  /** Kind-specific: a tool use's name, input, outcome, result; a turn's items; a session's turns and tokens. */
  readonly details: Json;
  readonly asOf?: AsOfReport;
}

/** The exact events that an item came from. */
export interface Why {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly steps: readonly string[];
  readonly events: readonly LogEvent[];
}
