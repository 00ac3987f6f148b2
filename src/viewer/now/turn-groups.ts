// What happened, by session: the sessions under way first, then by what happened last in each.
import type { ListedMemory, ListedSession, ListedSummary, ListedTurn } from '../api/types.ts';

export interface TurnEntry {
  readonly kind: 'turn';
  readonly id: string;
  /** When something of it was last reported. */
  readonly at: string | null;
  readonly turn: ListedTurn;
  readonly request: string;
  /** What came of it; null: nothing is known. */
  readonly outcome: string | null;
  readonly isRunning: boolean;
  /** It may go on: it is the last one of a session under way, and no answer is known. A program may report no ends. */
  readonly isAwaited: boolean;
}

interface MemoryEntry {
  readonly kind: 'memory';
  readonly id: string;
  readonly at: string | null;
  readonly memory: ListedMemory;
}

export type Entry = TurnEntry | MemoryEntry;

interface GroupHead {
  readonly title: string | null;
  readonly project: string;
  readonly agent: string;
}

export interface SessionGroup {
  readonly key: string;
  /** Null: what was saved outside of sessions. */
  readonly id: string | null;
  /** Null if it is not among those that were read. */
  readonly session: ListedSession | null;
  /** Of the session, from any of its entries; null if none says it. */
  readonly head: GroupHead | null;
  readonly isUnderWay: boolean;
  /** Newest first. */
  readonly entries: readonly Entry[];
}

/** Newest first, as the API lists them. */
interface Recorded {
  readonly turns: readonly ListedTurn[];
  readonly summaries: readonly ListedSummary[];
  readonly memories: readonly ListedMemory[];
  readonly sessions: readonly ListedSession[];
}

export function sessionGroups(
  { turns, summaries, memories, sessions }: Recorded,
  isUnderWay: (session: ListedSession) => boolean,
): readonly SessionGroup[] {
  const sessionOf = new Map(sessions.map((session) => [session.id, session]));
  const summaryOf = new Map(summaries.map((summary) => [summary.turn, summary]));
  const live = new Set(sessions.filter(isUnderWay).map(({ id }) => id));
  const entries = new Map<string, Entry[]>();
  const add = (session: string, entry: Entry) => {
    const known = entries.get(session);
    if (known === undefined) entries.set(session, [entry]);
    else known.push(entry);
  };
  for (const turn of turns) {
    const mayRun = !entries.has(turn.session) && live.has(turn.session);
    add(turn.session, turnEntry(turn, summaryOf.get(turn.id), mayRun));
  }
  for (const memory of memories)
    add(memory.session ?? '', { kind: 'memory', id: memory.id, at: memory.at, memory });
  const groups = [...entries].map(
    ([key, own]): SessionGroup => ({
      key,
      id: key === '' ? null : key,
      session: sessionOf.get(key) ?? null,
      head: sessionOf.get(key) ?? headIn(own),
      isUnderWay: live.has(key),
      entries: own.sort(newestFirst),
    }),
  );
  return groups.sort(
    (a, b) => Number(b.isUnderWay) - Number(a.isUnderWay) || newestFirst(a.entries[0]!, b.entries[0]!),
  );
}

function headIn(entries: readonly Entry[]): GroupHead | null {
  const entry = entries.find((one) => one.kind === 'turn');
  if (entry === undefined) return null;
  const { sessionTitle, project, agent } = entry.turn;
  return { title: sessionTitle, project, agent };
}

function turnEntry(turn: ListedTurn, summary: ListedSummary | undefined, mayRun: boolean): TurnEntry {
  const { id, startedAt, endedAt, prompt, forgotten, private: isPrivate } = turn;
  const request =
    prompt?.title ??
    (isPrivate ? 'A private turn' : forgotten ? 'A forgotten prompt' : 'Before the first prompt');
  const { completed = null, learned = null, investigated = null } = summary ?? {};
  const outcome = completed ?? learned ?? investigated;
  const isRunning = mayRun && turn.unfinished;
  const isAwaited = isRunning || (mayRun && turn.counts.replies === 0);
  return { kind: 'turn', id, at: endedAt ?? startedAt, turn, request, outcome, isRunning, isAwaited };
}

function newestFirst(a: Entry, b: Entry): number {
  return (b.at ?? '').localeCompare(a.at ?? '') || b.id.localeCompare(a.id);
}
