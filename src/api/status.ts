// How a home is: what it holds, what it takes on disk, what waits, and what is not as it should be.
import type { ViewState } from './views.ts';

export interface Status {
  readonly home: string;
  readonly log: { readonly events: number; readonly head: number; readonly bytes: number };
  /** Bytes on disk. */
  readonly size: {
    /** Of everything below the home. */
    readonly bytes: number;
    readonly log: number;
    /** From the largest on. */
    readonly views: readonly { readonly name: string; readonly bytes: number }[];
    readonly spool: number;
    /** Of log and views, by when the events happened; estimated from 500 of them. null without events. */
    readonly perDay: null | { readonly last30Days: number; readonly overall: number };
    /** What `compact` would give back, estimated from what the last one left; null when there was none yet. */
    readonly reclaimable: number | null;
  };
  readonly views: readonly ViewState[];
  readonly spool: {
    readonly new: number;
    readonly bad: number;
    /** What became of all that hooks ever left: new events, private turns' files, files that tell nothing by reason, unusable ones. */
    readonly taken: {
      readonly recorded: number;
      readonly private: number;
      readonly ignored: { readonly [reason: string]: number };
      readonly bad: number;
    };
  };
  /** Whether an agent's settings hold hooks that write to this home; null where they cannot be read. */
  readonly hooks: readonly { readonly agent: string; readonly installed: boolean | null }[];
  readonly worker: null | { readonly pid: number };
  readonly projects: readonly {
    readonly name: string;
    readonly sessions: number;
    readonly observations: number;
  }[];
  readonly degraded: readonly string[];
}
