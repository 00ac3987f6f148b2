// A session while a page is folded: its structure from memory or from its rows, and what changed in it into rows.
import type { Fact } from '../../log/index.ts';
import type { ViewReader, ViewWriter } from '../projector.ts';
import { sharedLines } from './copies.ts';
import { type AnyTelling, type Item, makeItem } from './item.ts';
import {
  type CopyRow,
  type ItemKind,
  type ItemRow,
  isItem,
  rowKeys,
  type SessionRow,
  type SessionTelling,
  type SharedRow,
  type TurnRow,
} from './rows.ts';
import { placeOf, sessionRow } from './session-row.ts';
import { type SessionChange, Skeleton } from './skeleton.ts';
import { promptTelling, replyTelling, sessionTelling, stopTelling, toolTelling } from './tellings.ts';

/** Takes a session out of memory, or reads it. Until it is kept again only the caller has it. */
export async function openSession(agent: string, session: string, view: ViewWriter): Promise<Skeleton> {
  const skeleton = view.memory.take<Skeleton>(rowKeys.session(agent, session));
  return skeleton ?? restored(new Skeleton(agent, session), view);
}

export function keepSession(skeleton: Skeleton, view: ViewWriter): void {
  if (!skeleton.isEmpty)
    view.memory.keep(rowKeys.session(skeleton.agent, skeleton.session), skeleton, skeleton.items.size);
}

async function restored(skeleton: Skeleton, view: ViewReader): Promise<Skeleton> {
  const { agent, session } = skeleton;
  const row = await view.get<SessionRow>(rowKeys.session(agent, session));
  if (row === undefined) return skeleton;
  skeleton.milestones = row.tellings;
  skeleton.place = row.place;
  skeleton.shared = (await view.get<SharedRow>(rowKeys.shared(agent, session))) ?? null;
  const items: Item[] = [];
  for (const [, item] of await view.range<TurnRow | ItemRow>(rowKeys.turns(agent, session))) {
    if (!isItem(item)) continue;
    const { order, turn, home } = item;
    items.push(Object.assign(makeItem(item.kind, item.id, item.tellings), { order, turn, home }));
  }
  skeleton.restore(items);
  if (skeleton.shared !== null) {
    const lines = new Set(items.flatMap((item) => item.lines));
    for (const [line, held] of await sharedLines(agent, [...lines], view)) skeleton.held.set(line, held);
  }
  return skeleton;
}

/** What these facts tell of their session. */
export function changeOf(facts: readonly Fact[], forgotten: ReadonlySet<string>): SessionChange {
  const milestones: SessionTelling[] = [];
  const tellings: [ItemKind, AnyTelling][] = [];
  for (const fact of facts)
    switch (fact.type) {
      case 'session.started':
      case 'session.ended':
      case 'session.continued':
      case 'session.titled':
        milestones.push(sessionTelling(fact));
        break;
      case 'prompt.submitted':
        tellings.push(['prompt', promptTelling(fact)]);
        break;
      case 'tool.used':
      case 'tool.unanswered':
        tellings.push(['tool', toolTelling(fact)]);
        break;
      case 'agent.replied':
        tellings.push(['reply', replyTelling(fact)]);
        break;
      case 'agent.stopped':
        tellings.push(['stop', stopTelling(fact)]);
        break;
    }
  return { milestones, tellings, forgotten };
}

/** All tellings of items that are stored. */
export async function readContent(
  { agent, session }: Skeleton,
  items: readonly Item[],
  view: ViewReader,
): Promise<readonly (readonly AnyTelling[])[]> {
  if (items.length === 0) return [];
  const keys = items.map(({ id, stored }) => rowKeys.item(agent, session, stored!.turn, id));
  const rows = await view.getMany<ItemRow>(keys);
  return rows.map((row) => row!.tellings);
}

/** Writes the rows of all that was touched. */
export async function writeSession(skeleton: Skeleton, view: ViewWriter): Promise<void> {
  const { agent, session, turns, dirty, dirtyTurns, content } = skeleton;
  skeleton.settleTotals();
  const below = rowKeys.turns(agent, session);
  const drop = ({ id, stored }: Item): void => {
    if (stored !== null) view.del(`${below}${stored.turn}/${id}`);
  };
  const moved = [...dirty].filter((item) => !content.has(item));
  const read = await readContent(skeleton, moved, view);
  const tellings = new Map<Item, readonly AnyTelling[]>(content);
  moved.forEach((item, index) => {
    tellings.set(item, read[index]!);
  });
  for (const item of skeleton.removed.values()) {
    drop(item);
    if (item.stored !== null && item.stored.home !== null) view.del(rowKeys.copy(item.id));
  }
  for (const item of dirty) {
    const { id, kind, turn, order, at, home, stored } = item;
    if (stored?.turn !== turn) drop(item);
    view.put(`${below}${turn}/${id}`, { id, kind, turn, order, at, home, tellings: tellings.get(item)! });
    if (home !== null) view.put(rowKeys.copy(id), { agent, session, turn } satisfies CopyRow);
    else if (stored !== null && stored.home !== null) view.del(rowKeys.copy(id));
  }
  const place = placeOf(skeleton);
  for (const turn of skeleton.place === place ? dirtyTurns : new Set([...dirtyTurns, ...turns.values()]))
    if (turn.items.size === 0) view.del(`${below}${turn.id}`);
    else view.put(`${below}${turn.id}`, turn.row(agent, session, place));
  skeleton.place = place;
  if (skeleton.isEmpty) view.del(rowKeys.session(agent, session));
  else view.put(rowKeys.session(agent, session), sessionRow(skeleton, place));
  skeleton.settled();
}
