// The evidence of one session against the sessions that share lines with it (line-owner.ts). All of its items are compared
// with theirs when shared lines change. What is added after the shared lines can only move the time at which the session
// continues, so it costs the same in a session of any length.
import type { Holders } from './line-owner.ts';
import type { SessionItem } from './session-item.ts';
import type { OwnerEvidence, SharedRow } from './session-rows.ts';

/** 1 s is more than the noise of a clock: times in a file go back further only where copied lines follow the file's own. */
const NOISE_MS = 1_000;
const NO_SESSIONS: ReadonlySet<string> = new Set();

/** The last comparison of all items. */
interface Comparison {
  row: SharedRow;
  /** By session: the time of the last line shared with it, Unix ms. */
  readonly sharedUntil: ReadonlyMap<string, number>;
  /** Byte offset of the last shared line. */
  readonly sharedUntilOffset: number;
}

export class SharedEvidence {
  #last: Comparison | null = null;
  #added = new Set<SessionItem>();
  #removed = new Set<SessionItem>();

  noteAdded(item: SessionItem): void {
    this.#added.add(item);
  }

  noteRemoved(item: SessionItem): void {
    if (!this.#added.delete(item)) this.#removed.add(item);
  }

  /** Call when other lines are shared than before, or with other sessions. */
  noteSharedLines(): void {
    this.#last = null;
  }

  /** The evidence now; null when no other session has a line of this one. `holders`: the shared lines. */
  row(items: ReadonlyMap<string, SessionItem>, session: string, holders: Holders): SharedRow | null {
    const [added, removed] = [this.#added, this.#removed];
    this.#added = new Set();
    this.#removed = new Set();
    const last = holders.size === 0 ? null : this.#last;
    if (last !== null && [...added, ...removed].every((item) => isApart(item, last, holders))) {
      const row = changedRow(last, added, removed);
      if (row !== null) {
        last.row = row;
        return row;
      }
    }
    this.#last = holders.size === 0 ? null : compared([...items.values()], session, holders);
    return this.#last?.row ?? null;
  }
}

/** Whether an item is not shared and cannot change how shared ones look: it does not precede them in the file. */
function isApart({ copyKeys, thread, heads }: SessionItem, last: Comparison, holders: Holders): boolean {
  return (
    !copyKeys.some((line) => holders.has(line)) &&
    (thread !== '' || heads.every(({ offset }) => offset === undefined || offset > last.sharedUntilOffset))
  );
}

/** The row with and without items that are not shared; null when all items have to be compared. */
function changedRow(
  { row, sharedUntil }: Comparison,
  added: ReadonlySet<SessionItem>,
  removed: ReadonlySet<SessionItem>,
): SharedRow | null {
  const changed: Record<string, OwnerEvidence> = {};
  for (const [other, evidence] of Object.entries(row)) {
    const until = sharedUntil.get(other)!;
    let { continuesAt, hasEarlierLines } = evidence;
    for (const { at } of removed) if (at !== null && (at < until || at === continuesAt)) return null;
    for (const { at } of added) {
      if (at === null) continue;
      if (at < until) hasEarlierLines = true;
      else if (continuesAt === null || at < continuesAt) continuesAt = at;
    }
    changed[other] = { ...evidence, ...(hasEarlierLines ? { hasEarlierLines } : {}), continuesAt };
  }
  return changed;
}

function compared(items: readonly SessionItem[], session: string, holders: Holders): Comparison | null {
  const sharedUntil = new Map<string, number>();
  let sharedUntilOffset = Number.NEGATIVE_INFINITY;
  const sharedWith = items.map(({ copyKeys, at, heads }) => {
    const rows = copyKeys.map((line) => holders.get(line)).filter((row) => row !== undefined);
    if (rows.every((row) => row.length === 1)) return NO_SESSIONS;
    const sessions = new Set<string>();
    for (const row of rows) for (const [, other] of row) if (other !== session) sessions.add(other);
    const time = at ?? Number.NEGATIVE_INFINITY;
    for (const other of sessions)
      sharedUntil.set(other, Math.max(sharedUntil.get(other) ?? Number.NEGATIVE_INFINITY, time));
    for (const { offset } of heads)
      if (offset !== undefined) sharedUntilOffset = Math.max(sharedUntilOffset, offset);
    return sessions;
  });
  if (sharedUntil.size === 0) return null;
  const outOfOrder = itemsOutOfOrder(items);
  const row: Record<string, OwnerEvidence> = {};
  for (const [other, until] of [...sharedUntil].sort())
    row[other] = evidenceAgainst(other, until, { items, sharedWith, outOfOrder });
  return { row, sharedUntil, sharedUntilOffset };
}

interface ComparedItems {
  readonly items: readonly SessionItem[];
  /** By item: the sessions that have it too. */
  readonly sharedWith: readonly ReadonlySet<string>[];
  readonly outOfOrder: ReadonlySet<SessionItem>;
}

function evidenceAgainst(
  other: string,
  until: number,
  { items, sharedWith, outOfOrder }: ComparedItems,
): OwnerEvidence {
  const isShared = (_: SessionItem, index: number) => sharedWith[index]!.has(other);
  const shared = items.filter(isShared);
  let continuesAt: number | null = null;
  let earlier = false;
  items.forEach(({ at }, index) => {
    if (at === null || sharedWith[index]!.has(other)) return;
    if (at < until) earlier = true;
    else if (continuesAt === null || at < continuesAt) continuesAt = at;
  });
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
