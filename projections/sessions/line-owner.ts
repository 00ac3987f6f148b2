// Which of two sessions that have the same lines was there first. A copy keeps the times of its lines and mostly their
// uuids, and has no link back, so what is around the shared lines decides:
//
//   1. Hooks and the agent's queue report what happens where it happens: a copied line has no such report.
//   2. A copy may give itself away: an answer that names another session's request, a file in which time goes back.
//   3. The earlier time of the line itself, where the two differ.
//   4. Lines of its own from before the last shared one: a copy goes on behind what it copied.
//   5. The one that ends with the shared lines. Where both go on, the one that goes on later: who forks works in the
//      fork first and comes back to the original.
//   6. The smaller id.

import type { SessionItem } from './session-item.ts';
import type { CopyRow, OwnerSigns, SharedRow } from './session-rows.ts';

/** Time in a file goes back by so much only where copied lines follow the file's own: 1 s is more than clocks' noise. */
const NOISE_MS = 1_000;

/** Line keys with the sessions that hold them; those that one session alone holds may be missing. */
export type Holders = ReadonlyMap<string, CopyRow>;

/** What a session says against another one. */
export type SignsOf = (session: string, other: string) => OwnerSigns | undefined;

const NO_SIGNS: OwnerSigns = { goesOn: null };
const NO_SESSIONS: ReadonlySet<string> = new Set();

/** Whether a line of two sessions belongs to the first of them. */
export function isOwner(one: CopyRow[number], other: CopyRow[number], signsOf: SignsOf): boolean {
  const a = signsOf(one[1], other[1]) ?? NO_SIGNS;
  const b = signsOf(other[1], one[1]) ?? NO_SIGNS;
  if (a.reported !== b.reported) return a.reported === true;
  if (a.copied !== b.copied) return b.copied === true;
  if (one[0] !== other[0]) return one[0] < other[0];
  if (a.earlier !== b.earlier) return a.earlier === true;
  if (a.goesOn !== b.goesOn)
    return (a.goesOn ?? Number.POSITIVE_INFINITY) > (b.goesOn ?? Number.POSITIVE_INFINITY);
  return one[1] < other[1];
}

/** What a session's lines say against each session that has some of them; null when there is none. */
export function sharedRow(
  items: readonly SessionItem[],
  session: string,
  holders: Holders,
): SharedRow | null {
  if (holders.size === 0) return null;
  const others = new Set<string>();
  const sharedWith = items.map((item) => {
    const held = item.copyKeys.map((line) => holders.get(line)).filter((row) => row !== undefined);
    if (held.every((row) => row.length === 1)) return NO_SESSIONS;
    const sessions = new Set<string>();
    for (const row of held) for (const [, other] of row) if (other !== session) sessions.add(other);
    for (const other of sessions) others.add(other);
    return sessions;
  });
  if (others.size === 0) return null;
  const late = outOfTime(items);
  const row: Record<string, OwnerSigns> = {};
  for (const other of [...others].sort()) row[other] = signsAgainst(other, items, sharedWith, late);
  return row;
}

function signsAgainst(
  other: string,
  items: readonly SessionItem[],
  sharedWith: readonly ReadonlySet<string>[],
  outOfTime: ReadonlySet<SessionItem>,
): OwnerSigns {
  const isShared = (_: SessionItem, index: number) => sharedWith[index]!.has(other);
  const shared = items.filter(isShared);
  const own = items.filter((item, index) => !isShared(item, index));
  const until = Math.max(...shared.map(({ at }) => at ?? Number.NEGATIVE_INFINITY));
  let goesOn: number | null = null;
  let earlier = false;
  for (const { at } of own) {
    if (at === null) continue;
    if (at < until) earlier = true;
    else if (goesOn === null || at < goesOn) goesOn = at;
  }
  return {
    ...(shared.some(isReported) ? { reported: true } : {}),
    ...(shared.some((item) => isCopied(item) || outOfTime.has(item)) ? { copied: true } : {}),
    ...(earlier ? { earlier: true } : {}),
    goesOn,
  };
}

function isReported({ marks }: SessionItem): boolean {
  return marks.some(({ channel, via }) => channel === 'hook' || via === 'queue');
}

function isCopied({ marks }: SessionItem): boolean {
  return marks.some(({ requestSession }) => requestSession !== undefined);
}

/** Items of the main thread that are older than something that stands before them in the file. */
function outOfTime(items: readonly SessionItem[]): Set<SessionItem> {
  const lines: { offset: number; at: number; item: SessionItem }[] = [];
  for (const item of items)
    if (item.thread === '')
      for (const { offset, at } of item.marks)
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
