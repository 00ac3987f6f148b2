// Moving the spool into the log, and news of the log and the views.

export type { DrainReport } from '../capture/spool/drain-tally.ts';

/** Positions in the log: its last event, and the last one that every view covers. */
export interface ChangeState {
  readonly head: number;
  readonly projected: number;
}
