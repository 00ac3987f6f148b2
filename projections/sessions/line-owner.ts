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

import type { CopyRow, OwnerEvidence } from './session-rows.ts';

/** Copy keys with the sessions that have the line. Lines of one session alone may be missing. */
export type Holders = ReadonlyMap<string, CopyRow>;

/** The evidence of a session against another one. */
export type EvidenceOf = (session: string, other: string) => OwnerEvidence | undefined;

const NO_EVIDENCE: OwnerEvidence = { continuesAt: null };

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
