// Options of the reading calls: the state at an earlier time, and that of views that are being built.

/** For a caller that would rather show a part than wait for minutes. */
export interface SoFarOptions {
  /**
   * While an import runs, or the views are built from the log (after an update, or by `rebuild`): answers from what they
   * hold so far. Otherwise it changes nothing.
   */
  readonly soFar?: boolean;
}

/** Reads an earlier state. What was forgotten since then stays forgotten. */
export interface AsOfOptions {
  /**
   * A position of this log (a number, or digits): what the log held then. Anything else that `since` accepts: what had
   * happened by then; a day counts to its end. The log is replayed up to there, in memory.
   */
  readonly asOf?: number | string | undefined;
  /** Called at the beginning, and after each page of events. */
  readonly onProgress?: AsOfProgress | undefined;
  /** Aborted: nobody waits for the answer any more. The call stops as soon as it can, and rejects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Events done and events to do of a step. dates: which events had happened by a time; a position needs no such step.
 * replay: makes the views.
 */
export type AsOfProgress = (done: number, total: number, step: 'dates' | 'replay') => void;

/** The state that an answer was made from. */
export interface AsOfReport {
  /** The position asked for; null if a time was asked for, and the reverse for `time`. */
  readonly position: number | null;
  /** ISO 8601. */
  readonly time: string | null;
  /** The last position that was replayed. */
  readonly head: number;
  /** Duration of the replay; of a state that is still in memory, of the replay that made it. */
  readonly ms: number;
}
