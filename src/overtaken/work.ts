// The work by which a statement is judged: what came after it may have ended, replaced or done what it says.
import type { ContextRow, ObservationLine, PromptLine, SummaryLine } from '../../projections/index.ts';

/** Rows of one project, newest first. */
export interface Work {
  readonly observations: readonly ObservationLine[];
  readonly summaries: readonly SummaryLine[];
  readonly prompts: readonly PromptLine[];
}

export type Moment = Pick<ContextRow, 'at' | 'turn' | 'session'>;

/** In a later turn. */
export function isLater({ at, turn }: Moment, moment: Moment): boolean {
  return turn !== moment.turn && (at ?? 0) > (moment.at ?? 0);
}
