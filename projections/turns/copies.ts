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
  const changed = new Map<string, Told[]>();
  for (const { session, before, after } of sessions) {
    for (const [line, at] of after) if (before.get(line) !== at) push(changed, line, [at, session]);
    for (const line of before.keys()) if (!after.has(line)) push(changed, line, [undefined, session]);
  }
  const keys: string[] = [];
  for (const line of changed.keys()) keys.push(rowKeys.line(agent, line));
  const rows = await view.getMany<LineRow>(keys);
  const touched = new Set<string>();
  const homes = new Map<string, string>();
  let index = 0;
  for (const [line, told] of changed) {
    const stood = rows[index];
    const rowKey = keys[index]!;
    index++;
    const row = stood === undefined ? told.filter(stands) : joined(stood, told, touched);
    if (row.length > 1) row.sort(homeFirst);
    if (row.length === 0) view.del(rowKey);
    else {
      view.put(rowKey, row);
      homes.set(line, row[0]![1]);
    }
  }
  for (const { session } of sessions) touched.delete(session);
  return { homes, touched };
}

/** When a line stands in a session; undefined: no longer. */
type Told = readonly [at: number | undefined, session: string];
type Stands = LineRow[number];

function stands(told: Told): told is Stands {
  return told[0] !== undefined;
}

/** What stood, where nothing else was told, and what was told. */
function joined(stood: LineRow, told: readonly Told[], touched: Set<string>): Stands[] {
  for (const [, session] of stood) touched.add(session);
  const left = stood.filter(([, session]) => !told.some((one) => one[1] === session));
  return [...left, ...told.filter(stands)];
}

/** Adds the homes of the lines of these items that are not yet in `homes`. */
export async function readHomes(
  agent: string,
  items: readonly AnyItem[],
  homes: Map<string, string>,
  view: ViewWriter,
): Promise<void> {
  const lines = new Set<string>();
  for (const item of items) for (const line of item.lines) if (!homes.has(line)) lines.add(line);
  if (lines.size === 0) return;
  const rows = await view.getMany<LineRow>([...lines].map((line) => rowKeys.line(agent, line)));
  let index = 0;
  for (const line of lines) {
    const first = rows[index++]?.[0];
    if (first !== undefined) homes.set(line, first[1]);
  }
}

/** null when the item is at home in this session. */
export function homeOf(item: AnyItem, session: string, homes: ReadonlyMap<string, string>): string | null {
  for (const line of item.lines) {
    const home = homes.get(line);
    if (home !== undefined && home !== session) return home;
  }
  return null;
}

function push<T>(lists: Map<string, T[]>, name: string, one: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [one]);
  else list.push(one);
}

function homeFirst(a: readonly [number, string], b: readonly [number, string]): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : 1);
}
