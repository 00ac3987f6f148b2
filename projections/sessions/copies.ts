// Copies: forks, hand-overs and old-style resumes repeat lines under another session. Each line has one owner session,
// the one that wrote it first (line-owner.ts); every other session shows it as inherited. A line is identified by its
// tool_use_id, its message id and block, or its uuid; a prompt also by its time and text, because a fork made by the SDK
// gives new uuids. The rows below `line/` say which sessions have a line.
import { pushTo } from '../../log/index.ts';
import type { ViewReader, ViewWriter } from '../engine/contract/projector.ts';
import { type EvidenceOf, type Holders, isOwner } from './line-owner.ts';
import type { SessionItem } from './session-item.ts';
import { type CopyRow, sessionKeys } from './session-rows.ts';

/** The lines of a session that may have changed: copy key → Unix ms, before and after. */
export interface SessionLines {
  readonly session: string;
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
}

/** Writes the changed lines of these sessions. `touched`: other sessions that have one of these lines; its owner may have changed. */
export async function writeLines(
  agent: string,
  sessions: readonly SessionLines[],
  view: ViewWriter,
): Promise<{ holders: Holders; touched: Set<string> }> {
  const changed = new Map<string, LineChange[]>();
  for (const { session, before, after } of sessions) {
    for (const [line, at] of after) if (before.get(line) !== at) pushTo(changed, line, [at, session]);
    for (const line of before.keys()) if (!after.has(line)) pushTo(changed, line, [undefined, session]);
  }
  const keys: string[] = [];
  for (const line of changed.keys()) keys.push(sessionKeys.line(agent, line));
  const rows = await view.getMany<CopyRow>(keys);
  const touched = new Set<string>();
  const holders = new Map<string, CopyRow>();
  let index = 0;
  for (const [line, changes] of changed) {
    const stored = rows[index];
    const rowKey = keys[index]!;
    index++;
    const row = stored === undefined ? changes.filter(isPresent) : withChanges(stored, changes, touched);
    if (row.length > 1) row.sort(earliestFirst);
    if (row.length === 0) view.del(rowKey);
    else {
      view.put(rowKey, row);
      holders.set(line, row);
    }
  }
  for (const { session } of sessions) touched.delete(session);
  return { holders, touched };
}

/** The time of a line in a session; undefined when the session no longer has it. */
type LineChange = readonly [at: number | undefined, session: string];
type LineEntry = CopyRow[number];

function isPresent(changes: LineChange): changes is LineEntry {
  return changes[0] !== undefined;
}

/** The stored entries of unchanged sessions, and the changes. */
function withChanges(stored: CopyRow, changes: readonly LineChange[], touched: Set<string>): LineEntry[] {
  for (const [, session] of stored) touched.add(session);
  const others = stored.filter(([, session]) => !changes.some((one) => one[1] === session));
  return [...others, ...changes.filter(isPresent)];
}

/** Those of these lines that other sessions have as well. */
export async function readSharedLines(
  agent: string,
  lines: readonly string[],
  view: ViewReader,
): Promise<Map<string, CopyRow>> {
  const rows = await view.getMany<CopyRow>(lines.map((line) => sessionKeys.line(agent, line)));
  const shared = new Map<string, CopyRow>();
  lines.forEach((line, index) => {
    const row = rows[index];
    if (row !== undefined && row.length > 1) shared.set(line, row);
  });
  return shared;
}

/** The session that owns this item; null when that is `session` itself. */
export function ownerOf(
  item: SessionItem,
  session: string,
  holders: Holders,
  evidenceOf: EvidenceOf,
): string | null {
  for (const line of item.copyKeys) {
    const row = holders.get(line);
    if (row === undefined || row.length === 1) continue;
    const owner = row.reduce((one, other) => (isOwner(other, one, evidenceOf) ? other : one))[1];
    if (owner !== session) return owner;
  }
  return null;
}

function earliestFirst(a: LineEntry, b: LineEntry): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : 1);
}
