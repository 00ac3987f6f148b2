// Marks in the log the sessions with a private prompt: parts of its turn may be stored already. A mark is pending from
// before the prompt is on disk until those parts are forgotten, also if the process is killed. It then stays as settled
// while only a hook reported the prompt as private: a transcript that is imported later may have parts of the turn.
import type { CursorWrite, Log } from '../../../log/index.ts';

export interface MarkedSession {
  readonly agent: string;
  readonly session: string;
}

const PREFIX = 'private/';

export function pendingMark({ agent, session }: MarkedSession): CursorWrite {
  return { key: keyOf(agent, session), value: { agent, session, pending: true } };
}

export function settledMark({ agent, session }: MarkedSession): CursorWrite {
  return { key: keyOf(agent, session), value: { agent, session, pending: false } };
}

export function withoutMark({ agent, session }: MarkedSession): CursorWrite {
  return { key: keyOf(agent, session), value: null };
}

/** Whether the session has a mark, pending or settled. */
export async function hasMark(log: Pick<Log, 'cursor'>, { agent, session }: MarkedSession): Promise<boolean> {
  return (await log.cursor(keyOf(agent, session))) !== undefined;
}

/** The sessions with a pending mark. */
export async function markedSessions(log: Pick<Log, 'cursors'>): Promise<readonly MarkedSession[]> {
  const marks = (await log.cursors(PREFIX)).map(({ value }) => value as unknown as Mark);
  return marks.filter(({ pending }) => pending);
}

interface Mark extends MarkedSession {
  readonly pending: boolean;
}

function keyOf(agent: string, session: string): string {
  return `${PREFIX}${agent}/${session}`;
}
