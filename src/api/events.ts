// The log itself, event by event.
import type { EventType } from '../../log/index.ts';

export interface LogOptions {
  readonly session?: string;
  readonly type?: EventType;
  /** prompt, tool, answer, session, place, memory: a family of types. */
  readonly kind?: string;
  readonly after?: number;
  readonly limit?: number;
}
