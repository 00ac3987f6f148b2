// The log itself, event by event.
import type { EventType } from '../../log/index.ts';

export interface LogOptions {
  readonly session?: string;
  readonly type?: EventType;
  /** prompt, tool, answer, session, place, memory: a family of types. */
  readonly kind?: string;
  readonly after?: number;
  /** At most this many, the first ones. */
  readonly limit?: number;
  /** Only the last this many; the log is read backwards from its end until they are found. */
  readonly last?: number;
}
