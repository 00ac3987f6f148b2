// The state of each view, the report of a build, and the check that the log is intact and the views match it.
import type { VerifyProblem } from '../../log/index.ts';

export interface ViewReport {
  readonly name: string;
  readonly events: number;
  readonly ms: number;
  readonly digest: string;
}

export interface ViewState {
  readonly name: string;
  readonly version: number;
  /** Log position up to which the view is built. */
  readonly position: number;
  /** Events behind the head. */
  readonly lag: number;
}

export interface Verification {
  readonly ok: boolean;
  readonly events: number;
  readonly problems: readonly VerifyProblem[];
  /** Set if the views were rebuilt beside the live ones. */
  readonly views?: readonly {
    readonly name: string;
    readonly events: number;
    readonly ms: number;
    /** Digest of the live view. */
    readonly live: string;
    /** Digest of the rebuilt one. */
    readonly rebuilt: string;
    readonly equal: boolean;
  }[];
}
