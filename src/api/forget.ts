// Forgetting for good: what is named, what that comes to before anything is done, and the proof afterwards.
import type { RewriteStep } from '../../log/index.ts';

/** What is to be forgotten, named in exactly one way. */
export interface ForgetSelection {
  /** Ids, or beginnings of ids, of anything: a prompt, a turn, an observation, a session, an event. */
  readonly ids?: readonly string[];
  readonly session?: string;
  readonly project?: string;
  /** Everything that says this, letter for letter but for case. */
  readonly query?: string;
  /** Everything that happened before: as in search. */
  readonly before?: string | number;
}

export interface ForgetOptions {
  /** Also what carries the same text elsewhere. */
  readonly withCopies?: boolean;
  /** Shows what would be done and does nothing. */
  readonly dryRun?: boolean;
  /** Asked before anything is done. */
  readonly confirm?: (plan: ForgetPlan) => Promise<boolean>;
  readonly onStep?: (step: ForgetStep) => void | Promise<void>;
}

/** In this order, but that `scrubbed` comes while the log is rewritten. A kill after any of them leaves a home that the next opening brings to its end. */
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
  /** The event that says so; null where nothing of it was in the log, only in the spool. */
  readonly id: string | null;
  /** ISO 8601. */
  readonly at: string | null;
  readonly plan: ForgetPlan;
  readonly proof: ForgetProof | null;
  readonly ms: number;
}

export interface ForgetPlan {
  readonly by: 'ids' | 'session' | 'project' | 'query' | 'before';
  /** Events that lose their bodies, and the bytes of those. */
  readonly events: number;
  readonly bytes: number;
  readonly sessions: number;
  readonly kinds: readonly ForgetGroup[];
  /** The first twenty of what was named. */
  readonly things: readonly ForgetThing[];
  /** The same things told again: by another witness, in forks. */
  readonly same: { readonly included: boolean; readonly events: number; readonly sessions: number };
  /** Other things that carry the same text; the first twenty. */
  readonly copies: {
    readonly included: boolean;
    readonly events: number;
    readonly kinds: readonly ForgetGroup[];
    readonly things: readonly ForgetThing[];
  };
  /** Observations and summaries that go or are made again from what is left. */
  readonly derived: number;
  /** Files in the spool that go. */
  readonly spoolFiles: number;
}

export interface ForgetGroup {
  /** prompt, tool use, answer, memory, title, session record, place. */
  readonly kind: string;
  readonly count: number;
  /** Of all that was told of them. */
  readonly bytes: number;
}

export interface ForgetThing {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly session: string | null;
  readonly at: string | null;
}

export interface ForgetProof {
  /** Nothing of it was found, everything could be read, and the control was found; null when there was nothing to search for. */
  readonly ok: boolean | null;
  /** What was searched for: pieces of what was forgotten that nothing else holds. */
  readonly needles: readonly string[];
  readonly files: number;
  /** Bytes searched, raw and unpacked. */
  readonly bytes: number;
  readonly found: readonly { readonly needle: string; readonly file: string }[];
  /** Tables that could not be unpacked. */
  readonly unreadable: number;
  /** A string that has to be there, searched for in the same way. */
  readonly control: { readonly text: string; readonly found: boolean };
}
