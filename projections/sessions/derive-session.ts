// A session while a page is folded: its structure from memory or from its rows, and what changed in it into rows.
import type { EventData } from '../../log/index.ts';
import type { ViewReader, ViewWriter } from '../engine/contract/projector.ts';
import { sharedLines } from './copies.ts';
import { promptReport, replyReport, sessionReport, stopReport, toolReport } from './reports.ts';
import { type AnyTelling, makeSessionItem, type SessionItem } from './session-item.ts';
import { sessionRow, sessionWorkdir } from './session-row.ts';
import {
  type CopyLocation,
  type ItemKind,
  type ItemRow,
  isItemRow,
  type SessionReport,
  type SessionRow,
  type SharedRow,
  sessionKeys,
  type TurnRow,
} from './session-rows.ts';
import { type SessionChange, Skeleton } from './skeleton.ts';

/** Takes a session out of memory, or reads it. Until it is kept again only the caller has it. */
export async function openSession(agent: string, session: string, view: ViewWriter): Promise<Skeleton> {
  const skeleton = view.memory.take<Skeleton>(sessionKeys.session(agent, session));
  return skeleton ?? restored(new Skeleton(agent, session), view);
}

export function keepSession(skeleton: Skeleton, view: ViewWriter): void {
  if (!skeleton.isEmpty)
    view.memory.keep(sessionKeys.session(skeleton.agent, skeleton.session), skeleton, skeleton.items.size);
}

async function restored(skeleton: Skeleton, view: ViewReader): Promise<Skeleton> {
  const { agent, session } = skeleton;
  const row = await view.get<SessionRow>(sessionKeys.session(agent, session));
  if (row === undefined) return skeleton;
  skeleton.milestones = row.reports;
  skeleton.workdir = row.workdir;
  skeleton.shared = (await view.get<SharedRow>(sessionKeys.shared(agent, session))) ?? null;
  const items: SessionItem[] = [];
  for (const [, item] of await view.range<TurnRow | ItemRow>(sessionKeys.turns(agent, session))) {
    if (!isItemRow(item)) continue;
    const { order, turn, home } = item;
    items.push(Object.assign(makeSessionItem(item.kind, item.id, item.reports), { order, turn, home }));
  }
  skeleton.restore(items);
  if (skeleton.shared !== null) {
    const lines = new Set(items.flatMap((item) => item.copyKeys));
    for (const [line, held] of await sharedLines(agent, [...lines], view)) skeleton.held.set(line, held);
  }
  return skeleton;
}

/** What these facts tell of their session. */
export function changeOf(events: readonly EventData[], forgotten: ReadonlySet<string>): SessionChange {
  const milestones: SessionReport[] = [];
  const reports: [ItemKind, AnyTelling][] = [];
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
  return { milestones, reports, forgotten };
}

/** All tellings of items that are stored. */
export async function readContent(
  { agent, session }: Skeleton,
  items: readonly SessionItem[],
  view: ViewReader,
): Promise<readonly (readonly AnyTelling[])[]> {
  if (items.length === 0) return [];
  const keys = items.map(({ id, stored }) => sessionKeys.item(agent, session, stored!.turn, id));
  const rows = await view.getMany<ItemRow>(keys);
  return rows.map((row) => row!.reports);
}

/** Writes the rows of all that was touched. */
export async function writeSession(skeleton: Skeleton, view: ViewWriter): Promise<void> {
  const { agent, session, turns, dirty, dirtyTurns, content } = skeleton;
  skeleton.settleTotals();
  const below = sessionKeys.turns(agent, session);
  const drop = ({ id, stored }: SessionItem): void => {
    if (stored !== null) view.del(`${below}${stored.turn}/${id}`);
  };
  const moved = [...dirty].filter((item) => !content.has(item));
  const read = await readContent(skeleton, moved, view);
  const reports = new Map<SessionItem, readonly AnyTelling[]>(content);
  moved.forEach((item, index) => {
    reports.set(item, read[index]!);
  });
  for (const item of skeleton.removed.values()) {
    drop(item);
    if (item.stored !== null && item.stored.home !== null) view.del(sessionKeys.copy(item.id));
  }
  for (const item of dirty) {
    const { id, kind, turn, order, at, home, stored } = item;
    if (stored?.turn !== turn) drop(item);
    view.put(`${below}${turn}/${id}`, { id, kind, turn, order, at, home, reports: reports.get(item)! });
    if (home !== null) view.put(sessionKeys.copy(id), { agent, session, turn } satisfies CopyLocation);
    else if (stored !== null && stored.home !== null) view.del(sessionKeys.copy(id));
  }
  const workdir = sessionWorkdir(skeleton);
  for (const turn of skeleton.workdir === workdir ? dirtyTurns : new Set([...dirtyTurns, ...turns.values()]))
    if (turn.items.size === 0) view.del(`${below}${turn.id}`);
    else view.put(`${below}${turn.id}`, turn.row(agent, session, workdir));
  skeleton.workdir = workdir;
  if (skeleton.isEmpty) view.del(sessionKeys.session(agent, session));
  else view.put(sessionKeys.session(agent, session), sessionRow(skeleton, workdir));
  skeleton.settled();
}
