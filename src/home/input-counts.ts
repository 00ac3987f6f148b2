// Counts what is stored of the sessions that an import read: their prompts, commands and tool uses. It reads one row per
// session, so that a few new lines of a long session cost what those of a short one do.
import { type CopyRow, type SessionRow, sessionKeys, type ViewReader } from '../../projections/index.ts';

export interface SessionName {
  readonly agent: string;
  readonly session: string;
}

/** A tool use without a result so far. */
export interface OpenToolUse {
  readonly agent: string;
  readonly id: string;
}

export interface InputCounts {
  readonly sessions: number;
  readonly prompts: number;
  readonly commands: number;
  readonly toolUses: number;
}

/** A copied line counts in the session that owns it. */
export async function countInput(
  found: readonly SessionName[],
  openToolUses: readonly OpenToolUse[],
  turns: ViewReader,
): Promise<InputCounts> {
  const sessions = new Set(found.map(({ agent, session }) => sessionKeys.session(agent, session)));
  const counts = { sessions: 0, prompts: 0, commands: 0, toolUses: 0 };
  for (const rowKey of sessions) {
    const row = await turns.get<SessionRow>(rowKey);
    if (row === undefined) continue;
    counts.sessions += 1;
    counts.prompts += row.counts.prompts;
    counts.commands += row.counts.commands;
    counts.toolUses += row.counts.toolUses;
  }
  const lines = new Set(openToolUses.map(({ agent, id }) => sessionKeys.line(agent, `tool:${id}`)));
  // One that a hook reported is counted above.
  for (const row of await turns.getMany<CopyRow>([...lines])) if (row === undefined) counts.toolUses++;
  return counts;
}
