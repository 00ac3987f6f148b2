// What a brief is made from, read of a view over rows made by hand.
import { type Change, lastingRows, mostFrequent, newestRows, sessionRows } from '../../projections/index.ts';
import { compose, drawAgent, fitAgent, type Material } from '../../src/render/index.ts';
import { PLACE, viewOf } from '../projections/context/rows.ts';

export async function materialOf(
  changes: readonly Change[],
  more: Partial<Material> & { sessionId?: string } = {},
): Promise<Material> {
  const view = await viewOf(changes);
  const places = [PLACE];
  const { sessionId, ...rest } = more;
  return {
    project: 'feeder',
    occasion: 'startup',
    summaries: await newestRows(view, places, 'summary', 40),
    observations: await newestRows(view, places, 'observation', 120),
    prompts: [],
    lately: [],
    asked: [],
    saved: await newestRows(view, places, 'saved', 30),
    decisions: await lastingRows(view, places, 'decision', 30),
    gotchas: await lastingRows(view, places, 'gotcha', 30),
    tests: await mostFrequent(view, places, 'test', 40),
    commands: await mostFrequent(view, places, 'command', 40),
    files: await mostFrequent(view, places, 'file', 40),
    lastSession: null,
    recap: null,
    sessions: new Map(),
    session:
      sessionId === undefined ? null : { id: sessionId, rows: await sessionRows(view, sessionId, 200) },
    ...rest,
  };
}

export function agentText(material: Material, now: number, found: number | null = null): string {
  return drawAgent(fitAgent(compose(material), now), { found }, now);
}
