// Finds the session that a person or a program names: by its id, or by the beginning of it.
import { AnnalsError } from '../../log/index.ts';
import { keyParts, type SessionRow, sessionKeys, type ViewReader } from '../../projections/index.ts';
import { groupsBelow } from './groups-below.ts';

/** A shorter prefix would match too much. */
export const PREFIX_CHARS_MIN = 4;

const CANDIDATES_MAX = 5;

export interface NamedSession {
  readonly id: string;
  /** One for each agent that reported it. None if only memories of it are known. */
  readonly rows: readonly SessionRow[];
}

/** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, USAGE (a prefix that is too short) */
export async function namedSession(given: string, turns: ViewReader): Promise<NamedSession> {
  const wanted = given.trim();
  const rows = await sessionsNamed(wanted, turns, CANDIDATES_MAX);
  const found = new Set([
    ...rows.map(({ session }) => session),
    ...(await sessionsOfMemories(wanted, turns)),
  ]);
  const [id, another] = found.has(wanted) ? [wanted] : [...found];
  if (another !== undefined) throw ambiguousSession(wanted, [...found].slice(0, CANDIDATES_MAX));
  if (id !== undefined) return { id, rows: rows.filter(({ session }) => session === id) };
  if (wanted.length < PREFIX_CHARS_MIN)
    throw new AnnalsError(
      'USAGE',
      `“${wanted}” is too short for the id of a session: give at least ${PREFIX_CHARS_MIN} characters.`,
      { hint: HINT },
    );
  throw unknownSession(wanted);
}

/**
 * @param agent decides between agents that reported a session with this id
 * @throws as `namedSession`, and if it does not decide
 */
export async function namedSessionRow(given: string, turns: ViewReader, agent?: string): Promise<SessionRow> {
  const { id, rows: all } = await namedSession(given, turns);
  const rows = agent === undefined ? all : all.filter((row) => row.agent === agent);
  const agents = rows.map(({ agent }) => `${id} of ${agent}`);
  if (rows.length > 1) throw ambiguousSession(id, agents);
  if (rows[0] === undefined) throw unknownSession(id);
  return rows[0];
}

const HINT = '`annals sessions` lists them.';

function unknownSession(given: string): AnnalsError {
  return new AnnalsError('NOT_FOUND', `No session has the id “${given}”.`, { hint: HINT });
}

function ambiguousSession(given: string, names: readonly string[]): AnnalsError {
  return new AnnalsError(
    'AMBIGUOUS_ID',
    `“${given}” matches ${names.length} or more sessions: ${names.join(', ')}.`,
    {
      hint: 'Give more of the id.',
    },
  );
}

/** The sessions with exactly this id, one for each agent. Without one, those whose id begins with it, at most `limit`. */
export async function sessionsNamed(id: string, turns: ViewReader, limit: number): Promise<SessionRow[]> {
  if (id === '') return [];
  // Agents are few, and each costs two reads.
  const agents = (await groupsBelow(turns, sessionKeys.sessions())).map((group) => keyParts(group)[1]!);
  const keys = agents.map((agent) => sessionKeys.session(agent, id));
  const exact = (await turns.getMany<SessionRow>(keys)).filter((row) => row !== undefined);
  if (exact.length > 0 || id.length < PREFIX_CHARS_MIN) return exact;
  const found: SessionRow[] = [];
  for (const key of keys)
    for (const [, row] of await turns.range<SessionRow>(key, { limit })) found.push(row);
  return found.slice(0, limit);
}

/** The sessions of saved and imported memories, as `sessionsNamed` finds those of agents. */
async function sessionsOfMemories(id: string, turns: ViewReader): Promise<string[]> {
  if (id === '') return [];
  const exact = [sessionKeys.savedOf('annals', id), sessionKeys.importedOf('annals', id)];
  for (const prefix of exact) if ((await turns.range(prefix, { limit: 1 })).length > 0) return [id];
  if (id.length < PREFIX_CHARS_MIN) return [];
  const groups: string[] = [];
  for (const prefix of exact) groups.push(...(await groupsBelow(turns, prefix.slice(0, -1))));
  return groups.map((group) => keyParts(group)[2]!);
}
