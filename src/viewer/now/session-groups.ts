// What happened, by session: the sessions under way first, then by what happened last in each.
import type { ListedSession } from '../api/types.ts';
import type { FeedRow } from './feed.ts';

export interface SessionGroup {
  readonly key: string;
  /** Null: the rows belong to no session. */
  readonly id: string | null;
  /** Null if it is not among those that were read. */
  readonly session: ListedSession | null;
  readonly isUnderWay: boolean;
  /** Newest first. */
  readonly rows: readonly FeedRow[];
}

/** @param rows newest first */
export function sessionGroups(
  rows: readonly FeedRow[],
  sessions: ReadonlyMap<string, ListedSession>,
  isUnderWay: (session: ListedSession) => boolean,
): readonly SessionGroup[] {
  const groups = new Map<string, FeedRow[]>();
  for (const row of rows) {
    const key = row.session ?? '';
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [row]);
    else known.push(row);
  }
  const all = [...groups].map(([key, own]): SessionGroup => {
    const session = sessions.get(key) ?? null;
    const id = key === '' ? null : key;
    return { key, id, session, isUnderWay: session !== null && isUnderWay(session), rows: own };
  });
  return [...all.filter((group) => group.isUnderWay), ...all.filter((group) => !group.isUnderWay)];
}
