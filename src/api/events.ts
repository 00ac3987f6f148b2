// Options for reading the log event by event.
import type { EventType } from '../../log/index.ts';

/** Families of event types. */
export const EVENT_KINDS = ['session', 'prompt', 'tool', 'answer', 'workdir', 'memory'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export interface LogOptions {
  /** A session's id, or the beginning of it. */
  readonly session?: string;
  readonly type?: EventType;
  /** One of `EVENT_KINDS`, or a type. */
  readonly kind?: string;
  /** A project by name, key or folder: its sessions, what was saved for it, and its folders; with those below it. */
  readonly project?: string;
  /** By the time of the events, as in `SearchOptions`; an event without a time is outside. */
  readonly since?: string | number;
  readonly until?: string | number;
  readonly after?: number;
  /** At most this many events, from the start. */
  readonly limit?: number;
  /** Only this many events, from the end; the log is read backwards until they are found. */
  readonly last?: number;
}
