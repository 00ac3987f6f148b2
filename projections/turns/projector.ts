// The `turns` view: what was asked, done and answered, per session and turn. A page's new tellings are added to
// those that the session's rows already hold, the session is derived anew (session.ts), and what differs is
// written. So a turn is never closed, and the rows depend only on which tellings there are.
import type { Fact } from '../../log/index.ts';
import { defineProjector, type ViewWriter } from '../projector.ts';
import { homeOf, LineTimes, readHomes, type SessionLines, writeLines } from './copies.ts';
import { dropSaved, dropTellings, type ForgottenHere, forgottenIn, isEmpty } from './forget.ts';
import type { AnyItem } from './item.ts';
import { lineKeys } from './lines.ts';
import { type ItemRow, isItem, rowKeys, type SessionRow, type TurnRow } from './rows.ts';
import { savedRow } from './saved.ts';
import { emptyTellings, itemsOf, type SessionTellings } from './session.ts';
import { placeOf, sessionRow, spanOf } from './session-row.ts';
import { promptTelling, replyTelling, sessionTelling, stopTelling, toolTelling } from './tellings.ts';
import { countItems, NO_USAGE, usageByTurn } from './usage.ts';
import { dropVectors, putVectors } from './vectors.ts';

export const turnsProjector = defineProjector({
  name: 'turns',
  version: 6,
  follows: 'log',
  feed: 'keys',
  fold,
});

/** What is told of a session; everything else is another view's. */
const TOLD_OF_SESSIONS: ReadonlySet<string> = new Set([
  'session.started',
  'session.ended',
  'session.continued',
  'session.titled',
  'prompt.submitted',
  'tool.used',
  'tool.unanswered',
  'agent.replied',
  'agent.stopped',
]);

/** A session as its rows stand and as its tellings make it. */
interface Work {
  readonly told: SessionTellings;
  readonly known: Set<string>;
  readonly rows: Map<string, unknown>;
  readonly linesBefore: LineTimes;
  /** Derived when every telling is in. */
  items: AnyItem[];
}

async function fold(facts: readonly Fact[], view: ViewWriter): Promise<void> {
  for (const fact of facts) {
    if (fact.type !== 'memory.saved') continue;
    const row = savedRow(fact);
    view.put(rowKeys.saved(fact.agent, fact.session, row.id), row);
  }
  putVectors(facts, view);
  const forgotten = forgottenIn(facts);
  await dropSaved(forgotten, view);
  await dropVectors(forgotten, view);
  for (const [agent, sessions] of byAgent(facts, forgotten)) {
    const works = new Map<string, Work>();
    for (const [session, told] of sessions) {
      const work = await load(agent, session, view);
      const added = told.filter((fact) => tell(work, fact)).length;
      if (!dropTellings(work.told, forgotten) && added === 0) continue;
      work.items = itemsOf(work.told);
      works.set(session, work);
    }
    const { homes, touched } = await writeLines(agent, [...works].map(linesOf), view);
    for (const session of touched) {
      const work = await load(agent, session, view);
      work.items = itemsOf(work.told);
      works.set(session, work);
    }
    for (const work of works.values()) {
      await readHomes(agent, work.items, homes, view);
      write(work, homes, view);
    }
  }
}

function byAgent(facts: readonly Fact[], forgotten: ForgottenHere): Map<string, Map<string, Fact[]>> {
  const agents = new Map<string, Map<string, Fact[]>>();
  for (const [agent, sessions] of forgotten.sessions)
    agents.set(agent, new Map([...sessions].map((session) => [session, []])));
  for (const fact of facts) {
    if (fact.session === null || !TOLD_OF_SESSIONS.has(fact.type)) continue;
    const sessions = agents.get(fact.agent) ?? new Map<string, Fact[]>();
    agents.set(fact.agent, sessions);
    const told = sessions.get(fact.session);
    if (told === undefined) sessions.set(fact.session, [fact]);
    else told.push(fact);
  }
  return agents;
}

async function load(agent: string, session: string, view: ViewWriter): Promise<Work> {
  const told = emptyTellings(agent, session);
  const rows = new Map<string, unknown>();
  const known = new Set<string>();
  const linesBefore = new LineTimes();
  const row = await view.get<SessionRow>(rowKeys.session(agent, session));
  if (row !== undefined) {
    rows.set(rowKeys.session(agent, session), row);
    told.milestones.push(...row.tellings);
    for (const telling of row.tellings) known.add(telling.event);
    for (const [key, item] of await view.range<TurnRow | ItemRow>(rowKeys.turns(agent, session))) {
      rows.set(key, item);
      if (!isItem(item)) continue;
      tellingsOf(told, item.kind).push(...item.tellings);
      for (const telling of item.tellings) known.add(telling.event);
      linesBefore.note(lineKeys(item), item.at);
    }
  }
  return { told, known, rows, linesBefore, items: [] };
}

function linesOf([session, { linesBefore, items }]: readonly [string, Work]): SessionLines {
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
function tell({ told, known }: Work, fact: Fact): boolean {
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

/** Derives the rows of a session and writes those that differ. */
function write({ told, rows, items }: Work, homes: ReadonlyMap<string, string>, view: ViewWriter): void {
  const { agent, session } = told;
  const copied = new Set<AnyItem>();
  const isHome = (item: AnyItem) => !copied.has(item);
  const below = rowKeys.turns(agent, session);
  const next = new Map<string, unknown>();
  for (const item of items) {
    const { id, kind, turn, order, at, tellings } = item;
    const home = homeOf(item, session, homes);
    if (home !== null) copied.add(item);
    next.set(`${below}${turn}/${id}`, { id, kind, turn, order, at, home, tellings });
  }
  const turns = turnRows(told, items, isHome);
  for (const turn of turns) next.set(`${below}${turn.id}`, turn);
  if (!isEmpty(told)) next.set(rowKeys.session(agent, session), sessionRow(told, items, turns, copied.size));

  for (const key of rows.keys()) if (!next.has(key)) view.del(key);
  for (const [key, row] of next) view.put(key, row);
}

function turnRows(
  told: SessionTellings,
  items: readonly AnyItem[],
  isHome: (item: AnyItem) => boolean,
): TurnRow[] {
  const place = placeOf(told);
  const usage = usageByTurn(items, isHome);
  const byTurn = new Map<string, AnyItem[]>();
  for (const item of items) {
    const members = byTurn.get(item.turn);
    if (members === undefined) byTurn.set(item.turn, [item]);
    else members.push(item);
  }
  return [...byTurn].map(([id, members]) => {
    const prompt = members.find((item) => item.kind === 'prompt');
    const { first, last } = spanOf(members);
    let order = members[0]!.order;
    for (const item of members) if (item.order < order) order = item.order;
    return {
      id,
      agent: told.agent,
      session: told.session,
      place,
      prompt: prompt?.id ?? null,
      order,
      startedAt: first,
      endedAt: last,
      private: prompt?.kind === 'prompt' && prompt.tellings.some((one) => one.private === true),
      items: members.length,
      inherited: !members.some(isHome),
      counts: countItems(members, isHome),
      usage: usage.get(id) ?? NO_USAGE,
    };
  });
}
