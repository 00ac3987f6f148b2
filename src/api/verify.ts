// Checks that the log is intact and that the views match it.
import type { VerifyProblem } from '../../log/index.ts';

export interface Verification {
  readonly ok: boolean;
  readonly events: number;
  readonly problems: readonly VerifyProblem[];
  readonly views?: readonly {
    readonly name: string;
    readonly live: string;
    readonly rebuilt: string;
    readonly equal: boolean;
  }[];
}
