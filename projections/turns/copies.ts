// Copies: forks, hand-overs and old-style resumes repeat lines under another session. Each line has one home, the
// session where its time is earliest, then the smaller id; everywhere else it is shown as inherited. Lines are
// known by tool_use_id, by message id and block, by uuid, and prompts also by their time and words (forks made by
// the SDK give new uuids). All of them are held in `line/…` rows of the view.
import type { ViewWriter } from '../projector.ts';
import type { AnyItem } from './item.ts';
import { type LineRow, rowKeys } from './rows.ts';

/** What one session's lines were and are: line key → Unix ms of the line. */
export interface SessionLines {
  readonly session: string;
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
}

/** Line keys with the earliest time at which an item of a session bears them. */
export class LineTimes extends Map<string, number> {
  note(lines: readonly string[], at: number | null): void {
    const time = at ?? Number.MAX_SAFE_INTEGER;
    for (const line of lines) this.set(line, Math.min(time, this.get(line) ?? time));
  }
}

/** What writing lines brought to light. */
export interface Homes {
  /** Home of each line that was looked at. */
  readonly homes: Map<string, string>;
  /** Other sessions that hold one of these lines: their homes may have moved. */
  readonly touched: Set<string>;
}

/** Writes the changed lines of these sessions. */
export async function writeLines(
  agent: string,
  sessions: readonly SessionLines[],
  view: ViewWriter,
): Promise<Homes> {
  const changed = new Map<string, { session: string; at: number | undefined }[]>();
  for (const { session, before, after } of sessions) {
    for (const [line, at] of after) if (before.get(line) !== at) push(changed, line, { session, at });
    for (const line of before.keys()) if (!after.has(line)) push(changed, line, { session, at: undefined });
  }
  const lines = [...changed.keys()];
  const keys = lineRowKeys(agent, lines);
  const rows = await view.getMany<LineRow>(keys);
  const touched = new Set<string>();
  const homes = new Map<string, string>();
  lines.forEach((line, index) => {
    const stood = rows[index] ?? [];
    const told = changed.get(line)!;
    for (const [, session] of stood) touched.add(session);
    const left = stood.filter(([, session]) => !told.some((one) => one.session === session));
    const now = told.flatMap(({ session, at }) => (at === undefined ? [] : [[at, session] as const]));
    const row = left.length + now.length > 1 ? [...left, ...now].sort(homeFirst) : [...left, ...now];
    if (row.length === 0) view.del(keys[index]!);
    else {
      view.put(keys[index]!, row);
      homes.set(line, row[0]![1]);
    }
  });
  for (const { session } of sessions) touched.delete(session);
  return { homes, touched };
}

/** Adds the homes of the lines of these items that are not yet in `homes`. */
export async function readHomes(
  agent: string,
  items: readonly AnyItem[],
  homes: Map<string, string>,
  view: ViewWriter,
): Promise<void> {
  const lines = [...new Set(items.flatMap((item) => item.lines))].filter((line) => !homes.has(line));
  const rows = await view.getMany<LineRow>(lineRowKeys(agent, lines));
  lines.forEach((line, index) => {
    const first = rows[index]?.[0];
    if (first !== undefined) homes.set(line, first[1]);
  });
}

/** null when the item is at home in this session. */
export function homeOf(item: AnyItem, session: string, homes: ReadonlyMap<string, string>): string | null {
  for (const line of item.lines) {
    const home = homes.get(line);
    if (home !== undefined && home !== session) return home;
  }
  return null;
}

function lineRowKeys(agent: string, lines: readonly string[]): string[] {
  return lines.map((line) => rowKeys.line(agent, line));
}

function push<T>(lists: Map<string, T[]>, name: string, one: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [one]);
  else list.push(one);
}

function homeFirst(a: readonly [number, string], b: readonly [number, string]): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : 1);
}
