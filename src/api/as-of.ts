// Asking what was here, or had happened, at an earlier time: an option of every call that reads.
import type { Progress } from './progress.ts';

/** For the calls that read: what was here, or had happened, then. What was forgotten since stays forgotten. */
export interface AsOfOptions {
  /**
   * A position of this log (a number, or digits): what it held then. Anything else that `since` takes: what had
   * happened by then; a day counts whole. The log is replayed to there, in memory.
   */
  readonly asOf?: number | string | undefined;
  /** How far that replay is: events done of all that are to do. */
  readonly onProgress?: Progress | undefined;
}

/** What an answer of the past is made from. */
export interface AsOfReport {
  /** As it was asked: one of them is null. */
  readonly position: number | null;
  /** ISO 8601. */
  readonly time: string | null;
  /** The last position that was read. */
  readonly head: number;
  /** What the replay took; about 0 when the call before asked the same. */
  readonly ms: number;
}
