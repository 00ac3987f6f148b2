// Forgetting for good: the selection, the plan shown before anything is done, and the proof afterwards.
import type { RewriteStep } from '../../log/index.ts';

/** What to forget, named in exactly one way. */
export interface ForgetSelection {
  /** Ids or id prefixes of anything: a prompt, a turn, an observation, a session, an event. */
  readonly ids?: readonly string[];
  /** A session's id, or the beginning of it. */
  readonly session?: string;
  readonly project?: string;
  /** Everything that contains this text literally, ignoring case. */
  readonly query?: string;
  /** Everything that happened before this time; formats as in search. */
  readonly before?: string | number;
}

export interface ForgetOptions {
  /** Also forget other items that share a long word or a line with it, where few do. */
  readonly withCopies?: boolean;
  /** Ids of items of the plan that stay, although the selection or `withCopies` names them. */
  readonly keep?: readonly string[];
  /** Show the plan and change nothing. */
  readonly dryRun?: boolean;
  /** Called with the plan before anything is done; false cancels. */
  readonly confirm?: (plan: ForgetPlan) => Promise<boolean>;
  /** Must not wait for anything that writes to the log, except after `found` and `forgotten`. */
  readonly onStep?: (step: ForgetStep) => void | Promise<void>;
}

/** The steps in order, except that `scrubbed` comes while the log is rewritten. If the process is killed after any of them, the next opening finishes the job. */
export type ForgetStep =
  | 'found'
  | 'spool'
  | 'forgotten'
  | 'projected'
  | 'scrubbed'
  | RewriteStep
  | 'rewritten';

export interface ForgetReport {
  readonly outcome: 'forgotten' | 'shown' | 'declined' | 'nothing';
  /** Id of the `memory.forgotten` event; null if everything was in the spool and nothing in the log. */
  readonly id: string | null;
  /** ISO 8601. */
  readonly at: string | null;
  readonly plan: ForgetPlan;
  readonly proof: ForgetProof | null;
  readonly ms: number;
}

export interface ForgetPlan {
  readonly by: 'ids' | 'session' | 'project' | 'query' | 'before';
  /** Events that lose their bodies, and the bytes of those bodies. */
  readonly events: number;
  readonly bytes: number;
  readonly sessions: number;
  readonly kinds: readonly ForgetGroup[];
  /** How many items are named, and the first 200 of them. */
  readonly items: number;
  readonly things: readonly ForgetThing[];
  /** Other reports of the same items: from another channel, in forks. */
  readonly same: { readonly included: boolean; readonly events: number; readonly sessions: number };
  /** Other items that share a long word or a line with it, where few do. */
  readonly copies: {
    readonly included: boolean;
    readonly events: number;
    readonly kinds: readonly ForgetGroup[];
    readonly items: number;
    readonly things: readonly ForgetThing[];
  };
  /** Observations and summaries that are removed, or derived again from what remains. */
  readonly derived: number;
  /** Spool files that are removed. */
  readonly spoolFiles: number;
  /** Whether other machines of a team forget it too, when they are connected. */
  readonly team: boolean;
}

export interface ForgetGroup {
  /** prompt, tool use, answer, memory, title, session record, place. */
  readonly kind: string;
  readonly count: number;
  /** Bytes of all their events. */
  readonly bytes: number;
}

export interface ForgetThing {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  /** Null if it belongs to none. */
  readonly project: string | null;
  readonly session: string | null;
  readonly at: string | null;
  /** Of a selection by `query`, and of a copy: the words that it holds, with what is around them. */
  readonly matched: ForgetMatch | null;
}

/** One line each. */
export interface ForgetMatch {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

export interface ForgetProof {
  /** true if no needle was found, every file could be read and the control was found; null if there was nothing to search for. */
  readonly ok: boolean | null;
  /** What was searched for: pieces of the forgotten text that occur nowhere else. */
  readonly needles: readonly string[];
  readonly files: number;
  /** Bytes searched, raw and unpacked. */
  readonly bytes: number;
  readonly found: readonly { readonly needle: string; readonly file: string }[];
  /** Tables that could not be unpacked. */
  readonly unreadable: number;
  /** A string that must be on disk, searched for in the same way. */
  readonly control: { readonly text: string; readonly found: boolean };
}
