// Whether the log is whole, and whether the views are what it says.
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
