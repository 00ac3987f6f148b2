// Opens a session for a page of events, from memory or from its rows, and writes the rows that changed.
import type { EventData } from '../../log/index.ts';
import type { ViewReader, ViewWriter } from '../engine/contract/projector.ts';
import { readSharedLines } from './copies.ts';
import { promptReport, replyReport, sessionReport, stopReport, toolReport } from './reports.ts';
import { type AnyReport, makeSessionItem, type SessionItem } from './session-item.ts';
import { sessionRow, sessionWorkdir } from './session-row.ts';
import {
  type CopyLocation,
  type ItemKind,
  type ItemRow,
  isItemRow,
  type PromptReport,
  placeOfTurn,
  type SessionReport,
  type SessionRow,
  type SharedRow,
  sessionKeys,
  type TurnRow,
} from './session-rows.ts';
import { type SessionChange, Skeleton } from './skeleton.ts';
import type { Turn } from './turn.ts';

/** Takes a session out of memory, or reads its rows. The caller owns it until `keepSession`. */
export async function openSession(agent: string, session: string, view: ViewWriter): Promise<Skeleton> {
  const skeleton = view.memory.take<Skeleton>(sessionKeys.session(agent, session));
  return skeleton ?? restoreSession(new Skeleton(agent, session), view);
}

export function keepSession(skeleton: Skeleton, view: ViewWriter): void {
  if (!skeleton.isEmpty)
    view.memory.keep(sessionKeys.session(skeleton.agent, skeleton.session), skeleton, skeleton.items.size);
}

async function restoreSession(skeleton: Skeleton, view: ViewReader): Promise<Skeleton> {
  const { agent, session } = skeleton;
  const row = await view.get<SessionRow>(sessionKeys.session(agent, session));
  if (row !== undefined) {
    skeleton.milestones = row.reports;
    skeleton.workdir = row.workdir;
    skeleton.listedAt = lastAt(row);
  }
  skeleton.shared = (await view.get<SharedRow>(sessionKeys.shared(agent, session))) ?? null;
  const items: SessionItem[] = [];
  const turns: TurnRow[] = [];
  for (const [, item] of await view.range<TurnRow | ItemRow>(sessionKeys.turns(agent, session))) {
    if (!isItemRow(item)) {
      turns.push(item);
      continue;
    }
    const { order, turn, owner } = item;
    items.push(Object.assign(makeSessionItem(item.kind, item.id, item.reports), { order, turn, owner }));
  }
  skeleton.restore(items);
  for (const turn of turns) skeleton.turns.get(turn.id)!.place = placeOfTurn(turn);
  if (skeleton.shared !== null) {
    const lines = new Set(items.flatMap((item) => item.copyKeys));
    for (const [line, held] of await readSharedLines(agent, [...lines], view))
      skeleton.sharedLines.set(line, held);
  }
  return skeleton;
}

/** The reports in these events of one session. */
export function changeOf(
  events: readonly EventData[],
  forgotten: ReadonlySet<string>,
  forgottenPrompts: readonly PromptReport[],
): SessionChange {
  const milestones: SessionReport[] = [];
  const reports: [ItemKind, AnyReport][] = [];
  for (const event of events)
    switch (event.type) {
      case 'session.started':
      case 'session.ended':
      case 'session.continued':
      case 'session.titled':
        milestones.push(sessionReport(event));
        break;
      case 'prompt.submitted':
        reports.push(['prompt', promptReport(event)]);
        break;
      case 'tool.used':
      case 'tool.unanswered':
        reports.push(['tool', toolReport(event)]);
        break;
      case 'agent.replied':
        reports.push(['reply', replyReport(event)]);
        break;
      case 'agent.stopped':
        reports.push(['stop', stopReport(event)]);
        break;
    }
  return { milestones, reports, forgotten, forgottenPrompts };
}

/** All reports of items, from their stored rows. */
export async function readContent(
  { agent, session }: Skeleton,
  items: readonly SessionItem[],
  view: ViewReader,
): Promise<readonly (readonly AnyReport[])[]> {
  if (items.length === 0) return [];
  const keys = items.map(({ id, stored }) => sessionKeys.item(agent, session, stored!.turn, id));
  const rows = await view.getMany<ItemRow>(keys);
  return rows.map((row) => row!.reports);
}

/** Writes the rows of everything that changed. */
export async function writeSession(skeleton: Skeleton, view: ViewWriter): Promise<void> {
  const { agent, session, turns, dirty, dirtyTurns, content } = skeleton;
  skeleton.settleTotals();
  const below = sessionKeys.turns(agent, session);
  const drop = ({ id, stored }: SessionItem): void => {
    if (stored !== null) view.del(`${below}${stored.turn}/${id}`);
  };
  const moved = [...dirty].filter((item) => !content.has(item));
  const read = await readContent(skeleton, moved, view);
  const reports = new Map<SessionItem, readonly AnyReport[]>(content);
  moved.forEach((item, index) => {
    reports.set(item, read[index]!);
  });
  for (const item of skeleton.removed.values()) {
    drop(item);
    if (item.stored !== null && item.stored.owner !== null) view.del(sessionKeys.copy(item.id));
  }
  for (const item of dirty) {
    const { id, kind, turn, order, at, owner, stored } = item;
    if (stored?.turn !== turn) drop(item);
    view.put(`${below}${turn}/${id}`, { id, kind, turn, order, at, owner, reports: reports.get(item)! });
    if (owner !== null) view.put(sessionKeys.copy(id), { agent, session, turn } satisfies CopyLocation);
    else if (stored !== null && stored.owner !== null) view.del(sessionKeys.copy(id));
  }
  const workdir = sessionWorkdir(skeleton);
  for (const turn of skeleton.workdir === workdir
    ? dirtyTurns
    : new Set([...dirtyTurns, ...turns.values()])) {
    const row = turn.isEmpty ? null : turn.row(agent, session, workdir);
    if (row === null) view.del(`${below}${turn.id}`);
    else view.put(`${below}${turn.id}`, row);
    listTurn(skeleton, turn, row, view);
  }
  const row = skeleton.isEmpty ? null : sessionRow(skeleton, workdir);
  if (row === null) view.del(sessionKeys.session(agent, session));
  else view.put(sessionKeys.session(agent, session), row);
  listSession(skeleton, row, view);
  skeleton.workdir = workdir;
  skeleton.settled();
}

/** Moves a turn in the lists of its session and its workdir. */
function listTurn(
  { agent, session, workdir }: Skeleton,
  turn: Turn,
  row: TurnRow | null,
  view: ViewWriter,
): void {
  const { place } = turn;
  turn.place = row === null ? undefined : placeOfTurn(row);
  if (place === turn.place && workdir === row?.workdir) return;
  if (place !== undefined) {
    view.del(sessionKeys.recentTurn(workdir!, place, agent, session, turn.id));
    view.del(sessionKeys.turnAt(agent, session, place, turn.id));
  }
  if (row === null) return;
  view.put(sessionKeys.recentTurn(row.workdir, turn.place!, agent, session, turn.id), 1);
  view.put(sessionKeys.turnAt(agent, session, turn.place!, turn.id), 1);
}

/** A session that goes on comes before those that began and ended meanwhile. */
function lastAt({ startedAt, endedAt }: SessionRow): number | null {
  return endedAt ?? startedAt;
}

/** Moves a session in the list of its workdir. */
function listSession(skeleton: Skeleton, row: SessionRow | null, view: ViewWriter): void {
  const { agent, session, workdir, listedAt } = skeleton;
  skeleton.listedAt = row === null ? undefined : lastAt(row);
  if (listedAt === skeleton.listedAt && workdir === row?.workdir) return;
  if (listedAt !== undefined) view.del(sessionKeys.recentSession(workdir!, listedAt, agent, session));
  if (row !== null) view.put(sessionKeys.recentSession(row.workdir, lastAt(row), agent, session), 1);
}
