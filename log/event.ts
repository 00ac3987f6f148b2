// The words of the log: a telling goes in, an event comes out. See docs/format.md for the bytes.
import type { BodyInput, BodyOf, EventType } from './catalog/index.ts';

/** Who told us. Part of the event id: two witnesses of one fact are two events. */
export const CHANNELS = ['hook', 'transcript', 'api', 'cli', 'import'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What capture, the command line or the library hands to `append`. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    /** claude-code, codex, …; `annals` for what is told to us directly. */
    readonly agent: string;
    /** The agent's own session id; null for what belongs to none (workdir.seen, a saved memory without one). */
    readonly session: string | null;
    /** The fact key within agent + session + type: a tool_use_id, a uuid, … Never a clock, never a text. */
    readonly dedupeKey: string;
    readonly channel: Channel;
    /** When it happened in the agent's world, Unix ms; null when the witness did not say. */
    readonly occurredAt: number | null;
    readonly body: BodyInput<K>;
    /** The event id that led to this one. */
    readonly causation?: string | null;
  };
}[T];

/** What a projector may see: everything but this machine's accidents (position, recordedAt). */
export type EventData<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    readonly id: string;
    readonly version: number;
    readonly agent: string;
    readonly session: string | null;
    readonly dedupeKey: string;
    readonly channel: Channel;
    readonly origin: string;
    readonly originSeq: number;
    readonly occurredAt: number | null;
    readonly causation: string | null;
    readonly body: BodyOf<K>;
  };
}[T];

/**
 * An event that says nothing to this version: of a type that only a newer one knows (passed over, never lost),
 * or forgotten.
 */
export interface UnknownEvent {
  readonly type: 'unknown';
  readonly unknownType: string;
  readonly id: string;
  readonly agent: string;
  readonly session: string | null;
  /** It was forgotten: its header stays, its body is gone. */
  readonly forgotten?: true;
}

/** An immutable event as the log holds it. `position` is dense from 1, local to this log. */
export type LogEvent<T extends EventType = EventType> = EventData<T> & {
  readonly position: number;
  /** When this machine wrote it, Unix ms. */
  readonly recordedAt: number;
};

/** A place in one particular log: its id, a position and the chain hash there (hex). Position 0: before all. */
export interface Checkpoint {
  readonly logId: string;
  readonly position: number;
  readonly chain: string;
}

export type AppendOutcome =
  | { readonly outcome: 'appended'; readonly id: string; readonly position: number }
  | { readonly outcome: 'duplicate'; readonly id: string; readonly position: number }
  /** What it tells was forgotten; nothing of it was kept, so it stands nowhere. */
  | { readonly outcome: 'forgotten'; readonly id: string; readonly position: 0 };
