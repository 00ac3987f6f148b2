// What happened, by session: the sessions under way first, then by what happened last in each.
import { sessionKey } from '../api/session-parts.ts';
import type { ListedMemory, ListedSession, ListedSummary, ListedTurn } from '../api/types.ts';

/** A session that reported something within this time is under way, ms. */
const UNDER_WAY_MS = 15 * 60_000;

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

/** The clock of the machine that reported the session may be ahead of this one. @param now Unix ms */
export function isUnderWay({ endedAt, endReason }: ListedSession, now: number): boolean {
  return endReason === null && endedAt !== null && Math.abs(now - Date.parse(endedAt)) < UNDER_WAY_MS;
}

export function sessionGroups(
  { turns, summaries, memories, sessions }: Recorded,
  isLive: (session: ListedSession) => boolean,
): readonly SessionGroup[] {
  const sessionOf = new Map(sessions.map((session) => [sessionKey(session), session]));
  const summaryOf = new Map(summaries.map((summary) => [summary.turn, summary]));
  const live = new Set(sessions.filter(isLive).map(sessionKey));
  const entries = new Map<string, Entry[]>();
  const add = (key: string, entry: Entry) => {
    const known = entries.get(key);
    if (known === undefined) entries.set(key, [entry]);
    else known.push(entry);
  };
  /** By its id alone. */
  const keysOf = new Map<string, Set<string>>();
  const know = (agent: string, id: string): string => {
    const key = sessionKey({ agent, id });
    keysOf.set(id, (keysOf.get(id) ?? new Set()).add(key));
    return key;
  };
  for (const { agent, id } of sessions) know(agent, id);
  for (const turn of turns) {
    const key = know(turn.agent, turn.session);
    const mayRun = !entries.has(key) && live.has(key);
    add(key, turnEntry(turn, summaryOf.get(turn.id), mayRun));
  }
  for (const memory of memories) {
    // A saved memory does not name the agent of its session.
    const [key, another] = keysOf.get(memory.session ?? '') ?? [];
    const isKnown = key !== undefined && another === undefined;
    add(isKnown ? key : sessionKey({ agent: '', id: memory.session ?? '' }), {
      ...{ kind: 'memory', id: memory.id, at: memory.at, memory },
    });
  }
  const groups = [...entries].map(
    ([key, own]): SessionGroup => ({
      key,
      id: idOf(own[0]!),
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

/** What of a group is not among the entries that are shown. Only the last turns and memories were read. */
export function restOf(
  { session, entries }: Pick<SessionGroup, 'session' | 'entries'>,
  shown: readonly Entry[],
): { readonly turns: number; readonly hasMemories: boolean } {
  const turnsIn = (some: readonly Entry[]) => some.filter(({ kind }) => kind === 'turn').length;
  const memoriesIn = (some: readonly Entry[]) => some.length - turnsIn(some);
  return {
    turns: (session?.turns ?? turnsIn(entries)) - turnsIn(shown),
    hasMemories: memoriesIn(entries) > memoriesIn(shown),
  };
}

function idOf(entry: Entry): string | null {
  return entry.kind === 'turn' ? entry.turn.session : entry.memory.session;
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
