// The state of a home: its contents, its size on disk, what waits in the spool, and its problems.
import type { ObserverState } from './observe.ts';
import type { ViewState } from './views.ts';

export interface Status {
  readonly home: string;
  readonly log: { readonly events: number; readonly head: number; readonly bytes: number };
  /** Bytes on disk. */
  readonly size: {
    /** Everything below the home folder. */
    readonly bytes: number;
    readonly log: number;
    /** Largest first. */
    readonly views: readonly { readonly name: string; readonly bytes: number }[];
    readonly spool: number;
    /** Growth of log and views by the time of the events; estimated from 500 of them. null without events. */
    readonly perDay: null | { readonly last30Days: number; readonly overall: number };
    /** What `compact` would free, estimated from the size after the last one; null if there was none yet. */
    readonly reclaimable: number | null;
  };
  readonly views: readonly ViewState[];
  readonly spool: {
    readonly new: number;
    readonly bad: number;
    /** What became of all files that hooks left: new events, files of private turns, ignored files by reason, unusable files. */
    readonly taken: {
      readonly recorded: number;
      readonly private: number;
      readonly ignored: { readonly [reason: string]: number };
      readonly bad: number;
    };
  };
  readonly hooks: readonly {
    readonly agent: string;
    /** Whether the agent seems to be on this machine. */
    readonly present: boolean;
    /** Whether its settings hold hooks that write to this home; null if they cannot be parsed and may hold some. */
    readonly installed: boolean | null;
    /** Whether its settings hold hooks that write to another home. */
    readonly elsewhere: boolean;
    /** Whether they are installed as this version does it, and none of another home are. */
    readonly current: boolean;
    /** Whether Claude Code's plugin has the hooks. */
    readonly byPlugin: boolean;
    /**
     * The MCP server in its settings. `outdated`: of another home or place. `other`: one of our name that `annals install` did
     * not write. `unknown`: the settings cannot be read.
     */
    readonly mcp: 'missing' | 'registered' | 'plugin' | 'outdated' | 'other' | 'unknown';
  }[];
  readonly worker: null | { readonly pid: number };
  /** The model that writes observations. */
  readonly observer: ObserverState;
  readonly projects: readonly {
    readonly name: string;
    readonly sessions: number;
    readonly observations: number;
    /** Saved by a person or an agent. */
    readonly memories: number;
  }[];
  readonly degraded: readonly string[];
}
