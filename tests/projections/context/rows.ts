// Hand-made rows of `memory`, and the `context` view over them.

import type { PromptLine } from '../../../projections/context/context-rows.ts';
import type {
  ObservationRow,
  PendingEdits,
  SummaryRow,
} from '../../../projections/extract/transcript/observation.ts';
import { type Change, contextProjector } from '../../../projections/index.ts';
import { MemoryView } from '../../helpers/memory-view.ts';

export const WORKDIR = '/home/u/app';
/** 1 January 2026, Unix ms. */
export const START = Date.UTC(2026, 0, 1);
export const HOUR = 3_600_000;

export function observation(
  number: number,
  more: Partial<Omit<ObservationRow, 'evidence'>> & { evidence?: Partial<ObservationRow['evidence']> } = {},
): ObservationRow {
  return {
    id: `o-${String(number).padStart(12, '0')}`,
    turn: `t-${number}`,
    agent: 'claude-code',
    session: `session-${Math.floor(number / 10)}`,
    workdir: WORKDIR,
    at: START + number * HOUR,
    order: String(number).padStart(6, '0'),
    part: 1,
    type: 'change',
    unfinished: false,
    title: `Work on the ${word(number)} feeder`,
    subtitle: '',
    narrative: `The ${word(number)} feeder was changed so that it opens in time.`,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [`src/${word(number)}.ts`],
    ...more,
    evidence: {
      commands: [],
      tests: [],
      testsUnclear: false,
      commits: [],
      pushes: [],
      pullRequests: [],
      rewroteHistory: false,
      rewrites: [],
      edits: editsOf(more.filesModified ?? [`src/${word(number)}.ts`], more.evidence?.commits ?? []),
      errors: [],
      decisions: [],
      lessons: [],
      events: [],
      ...more.evidence,
    },
  };
}

/** Everything edited was committed if anything was. */
function editsOf(files: readonly string[], commits: readonly unknown[]): PendingEdits {
  const committed = commits.length > 0;
  const left = committed ? [] : files;
  return {
    ...{ files: left, lines: left.map(() => null), earlier: committed ? [] : null, removed: [], moved: [] },
    ...{ listed: null, listedAs: [], listedBefore: [], incomplete: false, committed, discarded: [] },
  };
}

export function summary(number: number, more: Partial<SummaryRow> = {}): SummaryRow {
  const { id, turn, agent, session, workdir, at, order } = observation(number);
  return {
    id: id.replace('o', 'y'),
    turn,
    agent,
    session,
    workdir,
    at,
    order,
    title: `Summary of the ${word(number)} feeder`,
    unfinished: false,
    end: more.unfinished === true ? null : 'answered',
    requestBy: 'person',
    request: `Please look at the ${word(number)} feeder`,
    investigated: null,
    learned: null,
    completed: `The ${word(number)} feeder opens in time`,
    nextSteps: [],
    notes: null,
    files: [],
    parts: 1,
    events: [],
    ...more,
  };
}

/** A unique name for a number, of letters only. */
export function word(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]!).join('');
}

export function told(
  row: ObservationRow | SummaryRow,
  before: ObservationRow | SummaryRow | null = null,
): Change {
  return { key: `${'request' in row ? 'summary' : 'observation'}/${row.id}`, before, after: row };
}

export function withdrawn(row: ObservationRow | SummaryRow): Change {
  return { ...told(row), before: row, after: null };
}

export async function viewOf(changes: readonly Change[], page = changes.length): Promise<MemoryView> {
  const view = new MemoryView();
  for (let first = 0; first < changes.length; first += page)
    await contextProjector.fold(changes.slice(first, first + page), view);
  return view;
}

/** A prompt's document. */
export function promptLine(number: number, more: Partial<PromptLine> = {}): PromptLine {
  const { turn, agent, session, workdir, at } = observation(number);
  return {
    id: `p-${String(number).padStart(12, '0')}`,
    kind: 'prompt',
    turn,
    agent,
    session,
    workdir,
    at,
    title: `Prompt ${word(number)}`,
    text: `Prompt ${word(number)}`,
    plan: false,
    ...more,
  };
}
