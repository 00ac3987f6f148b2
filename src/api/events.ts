// Options for reading the log event by event.
import type { EventType } from '../../log/index.ts';

export interface LogOptions {
  readonly session?: string;
  readonly type?: EventType;
  /** A family of types: prompt, tool, answer, session, workdir, memory. */
  readonly kind?: string;
  readonly after?: number;
  /** At most this many events, from the start. */
  readonly limit?: number;
  /** Only this many events, from the end; the log is read backwards until they are found. */
  readonly last?: number;
}
