// Copies: forks, hand-overs and old-style resumes repeat lines under another session. Each line has one owner, the
// session where it was first (line-owner.ts); everywhere else it is shown as inherited. Lines are known by
// tool_use_id, by message id and block, by uuid, and prompts also by their time and words (forks made by the SDK give
// new uuids). The view holds them in `line/…` rows.
import type { ViewReader, ViewWriter } from '../engine/contract/projector.ts';
import { type Holders, isOwner, type SignsOf } from './line-owner.ts';
import type { SessionItem } from './session-item.ts';
import { type CopyRow, sessionKeys } from './session-rows.ts';

/** What some of a session's lines were and are: line key → Unix ms of the line; all that may have changed. */
export interface SessionLines {
  readonly session: string;
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
}

/** Writes the changed lines of these sessions. `touched`: other sessions that hold one of them; its owner may have changed. */
export async function writeLines(
  agent: string,
  sessions: readonly SessionLines[],
  view: ViewWriter,
): Promise<{ holders: Holders; touched: Set<string> }> {
  const changed = new Map<string, LineChange[]>();
  for (const { session, before, after } of sessions) {
    for (const [line, at] of after) if (before.get(line) !== at) push(changed, line, [at, session]);
    for (const line of before.keys()) if (!after.has(line)) push(changed, line, [undefined, session]);
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
    const row = stored === undefined ? changes.filter(isPresent) : joined(stored, changes, touched);
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

/** When a line stands in a session; undefined: no longer. */
type LineChange = readonly [at: number | undefined, session: string];
type LineEntry = CopyRow[number];

function isPresent(changes: LineChange): changes is LineEntry {
  return changes[0] !== undefined;
}

/** What stood, where nothing else was told, and what was told. */
function joined(stored: CopyRow, changes: readonly LineChange[], touched: Set<string>): LineEntry[] {
  for (const [, session] of stored) touched.add(session);
  const others = stored.filter(([, session]) => !changes.some((one) => one[1] === session));
  return [...others, ...changes.filter(isPresent)];
}

/** Those of these lines that other sessions have too. */
export async function sharedLines(
  agent: string,
  lines: readonly string[],
  view: ViewReader,
): Promise<Map<string, CopyRow>> {
  const rows = await view.getMany<CopyRow>(lines.map((line) => sessionKeys.line(agent, line)));
  const held = new Map<string, CopyRow>();
  lines.forEach((line, index) => {
    const row = rows[index];
    if (row !== undefined && row.length > 1) held.set(line, row);
  });
  return held;
}

/** The session that owns this item; null when it is the one it stands in. */
export function ownerOf(
  item: SessionItem,
  session: string,
  holders: Holders,
  signsOf: SignsOf,
): string | null {
  for (const line of item.copyKeys) {
    const row = holders.get(line);
    if (row === undefined || row.length === 1) continue;
    const owner = row.reduce((one, other) => (isOwner(other, one, signsOf) ? other : one))[1];
    if (owner !== session) return owner;
  }
  return null;
}

function push<T>(lists: Map<string, T[]>, name: string, one: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [one]);
  else list.push(one);
}

function earliestFirst(a: LineEntry, b: LineEntry): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : 1);
}
