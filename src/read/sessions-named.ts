// Finds sessions by id or by a prefix of it. Agents are few, and each costs two reads.
import { keyParts, type SessionRow, sessionKeys, type ViewReader } from '../../projections/index.ts';
import { groupsBelow } from './merged-rows.ts';

/** A shorter prefix would match too much. */
export const PREFIX_CHARS_MIN = 4;

/** The sessions with exactly this id, one for each agent. Without one, those whose id begins with it, at most `limit`. */
export async function sessionsNamed(id: string, turns: ViewReader, limit: number): Promise<SessionRow[]> {
  if (id === '') return [];
  const agents = (await groupsBelow(turns, sessionKeys.sessions())).map((group) => keyParts(group)[1]!);
  const keys = agents.map((agent) => sessionKeys.session(agent, id));
  const exact = (await turns.getMany<SessionRow>(keys)).filter((row) => row !== undefined);
  if (exact.length > 0 || id.length < PREFIX_CHARS_MIN) return exact;
  const found: SessionRow[] = [];
  for (const key of keys)
    for (const [, row] of await turns.range<SessionRow>(key, { limit })) found.push(row);
  return found.slice(0, limit);
}
