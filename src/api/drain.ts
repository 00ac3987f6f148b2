// Moving the spool into the log, and news of the log and the views.

/** What became of the files that hooks left in the spool. */
export interface DrainReport {
  readonly appended: number;
  readonly duplicates: number;
  /** Files without events, by reason; removed. */
  readonly ignored: { readonly [reason: string]: number };
  /** Files of private turns; removed without keeping anything. */
  readonly private: number;
  /** Files that wait in spool/new until their turn is known. */
  readonly waiting: number;
  /** Files that are being written, or were broken off less than an hour ago. */
  readonly unfinished: number;
  /** Unusable files, now redacted in spool/bad. */
  readonly bad: number;
  /** Links, folders and other users' files; left alone. */
  readonly foreign: number;
  /** What could not be read, written or removed, one sentence each (first 20). */
  readonly problems: readonly string[];
  /** Folders named in the events, except in forgotten ones. */
  readonly cwds: readonly string[];
}

/** Positions in the log: its last event, and the last one that every view covers. */
export interface ChangeState {
  readonly head: number;
  readonly projected: number;
}
