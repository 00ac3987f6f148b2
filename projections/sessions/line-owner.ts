// Decides which of two sessions with the same lines wrote them. A copied line keeps its time and usually its uuid, and does
// not name the original, so the surroundings of the shared lines decide. In this order:
//
//   1. A hook or the agent's queue reported a shared line in the session: copied lines have no such report.
//   2. The session is marked as a copy: a reply names another session's request, or the times in the file go back.
//   3. The earlier time of the line itself, where the two differ.
//   4. The session has lines of its own from before the last shared one: a copy continues after the lines it copied.
//   5. The session ends with the shared lines. If both continue, the one that continues later: people work in a fork first
//      and return to the original afterwards.
//   6. The smaller id.

import type { SessionItem } from './session-item.ts';
import type { CopyRow, OwnerEvidence, SharedRow } from './session-rows.ts';

/** 1 s is more than the noise of a clock: times in a file go back further only where copied lines follow the file's own. */
const NOISE_MS = 1_000;

/** Copy keys with the sessions that have the line. Lines of one session alone may be missing. */
export type Holders = ReadonlyMap<string, CopyRow>;

/** The evidence of a session against another one. */
export type EvidenceOf = (session: string, other: string) => OwnerEvidence | undefined;

const NO_EVIDENCE: OwnerEvidence = { continuesAt: null };
const NO_SESSIONS: ReadonlySet<string> = new Set();

/** Whether a line of two sessions belongs to the first of them. */
export function isOwner(one: CopyRow[number], other: CopyRow[number], evidenceOf: EvidenceOf): boolean {
  const a = evidenceOf(one[1], other[1]) ?? NO_EVIDENCE;
  const b = evidenceOf(other[1], one[1]) ?? NO_EVIDENCE;
  if (a.reportedLive !== b.reportedLive) return a.reportedLive === true;
  if (a.markedAsCopy !== b.markedAsCopy) return b.markedAsCopy === true;
  if (one[0] !== other[0]) return one[0] < other[0];
  if (a.hasEarlierLines !== b.hasEarlierLines) return a.hasEarlierLines === true;
  if (a.continuesAt !== b.continuesAt)
    return (a.continuesAt ?? Number.POSITIVE_INFINITY) > (b.continuesAt ?? Number.POSITIVE_INFINITY);
  return one[1] < other[1];
}

/** The evidence of a session against each session that shares lines with it; null when there is none. */
export function sharedRow(
  items: readonly SessionItem[],
  session: string,
  holders: Holders,
): SharedRow | null {
  if (holders.size === 0) return null;
  const others = new Set<string>();
  const sharedWith = items.map((item) => {
    const rows = item.copyKeys.map((line) => holders.get(line)).filter((row) => row !== undefined);
    if (rows.every((row) => row.length === 1)) return NO_SESSIONS;
    const sessions = new Set<string>();
    for (const row of rows) for (const [, other] of row) if (other !== session) sessions.add(other);
    for (const other of sessions) others.add(other);
    return sessions;
  });
  if (others.size === 0) return null;
  const outOfOrder = itemsOutOfOrder(items);
  const row: Record<string, OwnerEvidence> = {};
  for (const other of [...others].sort()) row[other] = evidenceAgainst(other, items, sharedWith, outOfOrder);
  return row;
}

function evidenceAgainst(
  other: string,
  items: readonly SessionItem[],
  sharedWith: readonly ReadonlySet<string>[],
  outOfOrder: ReadonlySet<SessionItem>,
): OwnerEvidence {
  const isShared = (_: SessionItem, index: number) => sharedWith[index]!.has(other);
  const shared = items.filter(isShared);
  const own = items.filter((item, index) => !isShared(item, index));
  const until = Math.max(...shared.map(({ at }) => at ?? Number.NEGATIVE_INFINITY));
  let continuesAt: number | null = null;
  let earlier = false;
  for (const { at } of own) {
    if (at === null) continue;
    if (at < until) earlier = true;
    else if (continuesAt === null || at < continuesAt) continuesAt = at;
  }
  return {
    ...(shared.some(isReportedLive) ? { reportedLive: true } : {}),
    ...(shared.some((item) => isMarkedAsCopy(item) || outOfOrder.has(item)) ? { markedAsCopy: true } : {}),
    ...(earlier ? { hasEarlierLines: true } : {}),
    continuesAt,
  };
}

function isReportedLive({ heads }: SessionItem): boolean {
  return heads.some(({ channel, via }) => channel === 'hook' || via === 'queue');
}

function isMarkedAsCopy({ heads }: SessionItem): boolean {
  return heads.some(({ requestSession }) => requestSession !== undefined);
}

/** Items of the main thread that are older than an earlier line of the file. */
function itemsOutOfOrder(items: readonly SessionItem[]): Set<SessionItem> {
  const lines: { offset: number; at: number; item: SessionItem }[] = [];
  for (const item of items)
    if (item.thread === '')
      for (const { offset, at } of item.heads)
        if (offset !== undefined && at !== undefined) lines.push({ offset, at, item });
  lines.sort((a, b) => a.offset - b.offset || a.at - b.at);
  const found = new Set<SessionItem>();
  let latest = Number.NEGATIVE_INFINITY;
  for (const { at, item } of lines) {
    if (at < latest - NOISE_MS) found.add(item);
    latest = Math.max(latest, at);
  }
  return found;
}
