// Copies: forks, hand-overs and old-style resumes repeat lines under another session. Each line has one home, the
// session where its time is earliest, then the smaller id; everywhere else it is shown as inherited. Lines are
// known by tool_use_id, by message id and block, by uuid, and prompts also by their time and words (forks made by
// the SDK give new uuids). All of them are held in `line/…` rows of the view.
import type { ViewWriter } from '../projector.ts';
import { said } from './identity.ts';
import { type LineRow, rowKeys } from './rows.ts';
import type { AnyItem } from './session.ts';

/** The names under which another session may hold the same line. */
export function lineKeys(item: AnyItem): string[] {
  switch (item.kind) {
    case 'tool':
      return [`tool:${item.tellings[0]!.fact}`];
    case 'reply': {
      const { messageId, block, uuid } = item.merged;
      return [messageId === undefined ? `uuid:${uuid}` : `message:${messageId}:${block ?? 0}`];
    }
    case 'prompt': {
      const { uuid, text, at } = item.merged;
      const keys = uuid === undefined ? [] : [`uuid:${uuid}`];
      if (text !== undefined && at !== undefined) keys.push(`said:${said(at, text)}`);
      return keys;
    }
    case 'stop':
      return item.merged.uuid === undefined ? [] : [`uuid:${item.merged.uuid}`];
  }
}

/** What one session's lines were and are: line key → Unix ms of the line. */
export interface SessionLines {
  readonly session: string;
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
}

/** Line keys with the earliest time at which an item of this session bears them. */
export function linesOf(items: readonly AnyItem[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const item of items) {
    const at = item.at ?? Number.MAX_SAFE_INTEGER;
    for (const line of lineKeys(item)) lines.set(line, Math.min(at, lines.get(line) ?? at));
  }
  return lines;
}

/**
 * Writes the changed lines of these sessions and returns the other sessions that share one of them: their
 * homes may have moved.
 */
export async function writeLines(
  agent: string,
  sessions: readonly SessionLines[],
  view: ViewWriter,
): Promise<Set<string>> {
  const changed = new Map<string, { session: string; at: number | undefined }[]>();
  for (const { session, before, after } of sessions) {
    for (const line of new Set([...before.keys(), ...after.keys()])) {
      if (before.get(line) === after.get(line)) continue;
      const changes = changed.get(line) ?? [];
      changes.push({ session, at: after.get(line) });
      changed.set(line, changes);
    }
  }
  const lines = [...changed.keys()];
  const rows = await view.getMany<LineRow>(lines.map((line) => rowKeys.line(agent, line)));
  const touched = new Set<string>();
  lines.forEach((line, index) => {
    const entries = new Map((rows[index] ?? []).map(([at, session]) => [session, at]));
    for (const session of entries.keys()) touched.add(session);
    for (const { session, at } of changed.get(line)!) {
      if (at === undefined) entries.delete(session);
      else entries.set(session, at);
    }
    if (entries.size === 0) view.del(rowKeys.line(agent, line));
    else
      view.put(
        rowKeys.line(agent, line),
        [...entries].map(([session, at]) => [at, session] as const).sort(homeFirst),
      );
  });
  for (const { session } of sessions) touched.delete(session);
  return touched;
}

/** The home of each line of these items, by line key. */
export async function readHomes(
  agent: string,
  items: readonly AnyItem[],
  view: ViewWriter,
): Promise<Map<string, string>> {
  const lines = [...new Set(items.flatMap(lineKeys))];
  const rows = await view.getMany<LineRow>(lines.map((line) => rowKeys.line(agent, line)));
  const homes = new Map<string, string>();
  lines.forEach((line, index) => {
    const first = rows[index]?.[0];
    if (first !== undefined) homes.set(line, first[1]);
  });
  return homes;
}

/** null when the item is at home in this session. */
export function homeOf(item: AnyItem, session: string, homes: ReadonlyMap<string, string>): string | null {
  for (const line of lineKeys(item)) {
    const home = homes.get(line);
    if (home !== undefined && home !== session) return home;
  }
  return null;
}

function homeFirst(a: readonly [number, string], b: readonly [number, string]): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : 1);
}
