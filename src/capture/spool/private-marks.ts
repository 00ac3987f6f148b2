// Marks in the log the sessions with a newly recorded private prompt: parts of its turn may have been stored before. A
// mark is on disk no later than the prompt, and stays until those parts are forgotten, also if the process is killed.
import type { CursorWrite, Log } from '../../../log/index.ts';

export interface MarkedSession {
  readonly agent: string;
  readonly session: string;
}

const PREFIX = 'private/';

export function privateMark({ agent, session }: MarkedSession): CursorWrite {
  return { key: keyOf(agent, session), value: { agent, session } };
}

export function withoutMark({ agent, session }: MarkedSession): CursorWrite {
  return { key: keyOf(agent, session), value: null };
}

export async function markedSessions(log: Pick<Log, 'cursors'>): Promise<readonly MarkedSession[]> {
  return (await log.cursors(PREFIX)).map(({ value }) => value as MarkedSession);
}

function keyOf(agent: string, session: string): string {
  return `${PREFIX}${agent}/${session}`;
}
