// The types of the log: a NewEvent is appended, a LogEvent is read back. docs/format.md describes the bytes.
import type { BodyInput, BodyOf, EventType } from './catalog/index.ts';

/** How we learned of an event. Part of the event id: two channels with the same dedupe key make two events. */
export const CHANNELS = ['hook', 'transcript', 'api', 'cli', 'import'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What capture, the command line or the library passes to `append`. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    /** claude-code, codex, …; `annals` for what a user saves directly. */
    readonly agent: string;
    /** The agent's own session id; null for an event without a session (workdir.seen, some saved memories). */
    readonly session: string | null;
    /** Unique within agent + session + type: a tool_use_id, a uuid, … Never a time, never a text. */
    readonly dedupeKey: string;
    readonly channel: Channel;
    /** When it happened according to the agent, Unix ms; null when the channel does not report a time. */
    readonly occurredAt: number | null;
    readonly body: BodyInput<K>;
    /** Id of the event that caused this one. */
    readonly causation?: string | null;
  };
}[T];

/** An event as a projector sees it: without the fields that differ between machines (position, recordedAt). */
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
 * An event without a readable body: its type or version is newer than this version of annals (skipped, but
 * kept in the log), or it was forgotten.
 */
export interface UnknownEvent {
  readonly type: 'unknown';
  readonly unknownType: string;
  readonly id: string;
  readonly agent: string;
  readonly session: string | null;
  /** It was forgotten: only its header is left. */
  readonly forgotten?: true;
}

/** An immutable event as stored. `position` is dense from 1, local to this log. */
export type LogEvent<T extends EventType = EventType> = EventData<T> & {
  readonly position: number;
  /** When this machine wrote it, Unix ms. */
  readonly recordedAt: number;
};

/** A point in one particular log: its id, a position and the chain hash there (hex). Position 0: before the first event. */
export interface Checkpoint {
  readonly logId: string;
  readonly position: number;
  readonly chain: string;
}

export type AppendOutcome =
  | { readonly outcome: 'appended'; readonly id: string; readonly position: number }
  | { readonly outcome: 'duplicate'; readonly id: string; readonly position: number }
  /** The event reports something that was forgotten; it was not stored and has no position. */
  | { readonly outcome: 'forgotten'; readonly id: string; readonly position: 0 };
