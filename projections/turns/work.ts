// One session while a page is folded: its rows as they stand, and what its tellings make of it now.
import type { Fact } from '../../log/index.ts';
import type { ViewWriter } from '../projector.ts';
import { LineTimes, type SessionLines } from './copies.ts';
import type { AnyItem } from './item.ts';
import { lineKeys } from './lines.ts';
import {
  type CopyRow,
  type ItemRow,
  isItem,
  rowKeys,
  type SessionRow,
  type SharedRow,
  type TurnRow,
} from './rows.ts';
import { emptyTellings, itemsOf, type SessionTellings } from './session.ts';
import { promptTelling, replyTelling, sessionTelling, stopTelling, toolTelling } from './tellings.ts';

/** A session as its rows stand and as its tellings make it. */
export interface Work {
  readonly told: SessionTellings;
  readonly known: Set<string>;
  readonly rows: Map<string, unknown>;
  readonly linesBefore: LineTimes;
  /** As it stands in the view; null when no other session has lines of this one. */
  readonly sharedBefore: SharedRow | null;
  /** Derived when every telling is in. */
  items: AnyItem[];
  shared: SharedRow | null;
}

/** A session that this page tells nothing new of. */
export async function derived(agent: string, session: string, view: ViewWriter): Promise<Work> {
  const work = await load(agent, session, view);
  work.items = itemsOf(work.told);
  return work;
}

export async function load(agent: string, session: string, view: ViewWriter): Promise<Work> {
  const told = emptyTellings(agent, session);
  const rows = new Map<string, unknown>();
  const known = new Set<string>();
  const linesBefore = new LineTimes();
  let sharedBefore: SharedRow | null = null;
  const row = await view.get<SessionRow>(rowKeys.session(agent, session));
  if (row !== undefined) {
    rows.set(rowKeys.session(agent, session), row);
    sharedBefore = (await view.get<SharedRow>(rowKeys.shared(agent, session))) ?? null;
    told.milestones.push(...row.tellings);
    for (const telling of row.tellings) known.add(telling.event);
    for (const [key, item] of await view.range<TurnRow | ItemRow>(rowKeys.turns(agent, session))) {
      rows.set(key, item);
      if (!isItem(item)) continue;
      tellingsOf(told, item.kind).push(...item.tellings);
      for (const telling of item.tellings) known.add(telling.event);
      linesBefore.note(lineKeys(item), item.at);
      if (item.home !== null)
        rows.set(rowKeys.copy(item.id), { agent, session, turn: item.turn } satisfies CopyRow);
    }
  }
  return { told, known, rows, linesBefore, sharedBefore, items: [], shared: null };
}

export function linesOf([session, { linesBefore, items }]: readonly [string, Work]): SessionLines {
  const after = new LineTimes();
  for (const item of items) after.note(item.lines, item.at);
  return { session, before: linesBefore, after };
}

function tellingsOf(told: SessionTellings, kind: ItemRow['kind']): unknown[] {
  switch (kind) {
    case 'prompt':
      return told.prompts;
    case 'tool':
      return told.tools;
    case 'reply':
      return told.replies;
    case 'stop':
      return told.stops;
  }
}

/** Adds a fact to its session. False when it was told before. */
export function tell({ told, known }: Work, fact: Fact): boolean {
  if (known.has(fact.id)) return false;
  known.add(fact.id);
  switch (fact.type) {
    case 'session.started':
    case 'session.ended':
    case 'session.continued':
    case 'session.titled':
      told.milestones.push(sessionTelling(fact));
      return true;
    case 'prompt.submitted':
      told.prompts.push(promptTelling(fact));
      return true;
    case 'tool.used':
    case 'tool.unanswered':
      told.tools.push(toolTelling(fact));
      return true;
    case 'agent.replied':
      told.replies.push(replyTelling(fact));
      return true;
    case 'agent.stopped':
      told.stops.push(stopTelling(fact));
      return true;
    default:
      return false;
  }
}
