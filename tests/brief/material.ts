// Makes the material of a brief by reading a view over hand-made rows.
import {
  type Change,
  failingCalls,
  lastingRows,
  mostFrequentTests,
  newestRows,
  sessionRows,
} from '../../projections/index.ts';
import { type BriefMaterial, compose, fitAgentBrief, renderAgentBrief } from '../../src/brief/index.ts';
import { told, viewOf, WORKDIR } from '../projections/context/rows.ts';

export async function materialOf(
  changes: readonly Change[],
  more: Partial<BriefMaterial> & { sessionId?: string } = {},
): Promise<BriefMaterial> {
  const view = await viewOf(changes);
  const workdirs = [WORKDIR];
  const { sessionId, ...rest } = more;
  return {
    project: 'feeder',
    occasion: 'startup',
    summaries: await newestRows(view, workdirs, 'summary', 40),
    observations: await newestRows(view, workdirs, 'observation', 120),
    prompts: [],
    recentPrompts: [],
    unanswered: [],
    asked: [],
    saved: await newestRows(view, workdirs, 'saved', 30),
    notes: await lastingRows(view, workdirs, 'note', 20),
    pinned: await lastingRows(view, workdirs, 'pinned', 20),
    decisions: await lastingRows(view, workdirs, 'decision', 30),
    gotchas: await lastingRows(view, workdirs, 'gotcha', 30),
    tests: await mostFrequentTests(view, workdirs, 40),
    lastSession: null,
    recap: null,
    unused: new Set(),
    sessions: new Map(),
    failing: await failingCalls(view, workdirs, 100),
    session:
      sessionId === undefined ? null : { id: sessionId, rows: await sessionRows(view, sessionId, 200) },
    ...rest,
  };
}

export function agentText(material: BriefMaterial): string {
  return renderAgentBrief(fitAgentBrief(compose(material)));
}

/** The text of an agent's brief about these rows. */
export async function textOf(...rows: readonly Parameters<typeof told>[0][]): Promise<string> {
  return agentText(await materialOf(rows.map((row) => told(row))));
}

/** The section of a text with this title, or whose title begins so. */
export function partOf(text: string, title: string): string {
  return text.split(`## ${title}`)[1]?.split('\n## ')[0] ?? '';
}
