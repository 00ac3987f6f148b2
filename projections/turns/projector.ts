// The `turns` view: what was asked, done and answered, per session and turn. A page's new tellings are added to
// those that the session's rows already hold, the session is derived anew (session.ts), and what differs is
// written. So a turn is never closed, and the rows depend only on which tellings there are.
import type { Fact } from '../../log/index.ts';
import { canonicalJson } from '../digest.ts';
import { defineProjector, type ViewWriter } from '../projector.ts';
import { ownerOf, readHolders, writeLines } from './copies.ts';
import { type Holders, type SignsOf, sharedRow } from './first-session.ts';
import { dropSaved, dropTellings, type ForgottenHere, forgottenIn, isEmpty } from './forget.ts';
import type { AnyItem } from './item.ts';
import { type CopyRow, rowKeys, type SharedRow, type TurnRow } from './rows.ts';
import { savedRow } from './saved.ts';
import { itemsOf, type SessionTellings } from './session.ts';
import { placeOf, sessionRow, spanOf } from './session-row.ts';
import { unfinishedTurns } from './unfinished.ts';
import { countItems, NO_USAGE, usageByTurn } from './usage.ts';
import { dropVectors, putVectors } from './vectors.ts';
import { derived, linesOf, load, tell, type Work } from './work.ts';

export const turnsProjector = defineProjector({
  name: 'turns',
  version: 11,
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
    const { holders, touched } = await writeLines(agent, [...works].map(linesOf), view);
    const affected = new Set(touched);
    for (const session of touched) works.set(session, await derived(agent, session, view));
    for (const work of works.values()) {
      await readHolders(agent, work.items, holders, view);
      for (const other of writeShared(work, holders, view)) affected.add(other);
    }
    for (const session of affected) {
      if (works.has(session)) continue;
      const work = await derived(agent, session, view);
      // Its own lines are as they were: what it says of who was first is so too.
      work.shared = work.sharedBefore;
      works.set(session, work);
      await readHolders(agent, work.items, holders, view);
    }
    const signsOf = await signsAmong(agent, works, view);
    for (const work of works.values()) write(work, holders, signsOf, view);
  }
}

/** Writes what a session's lines say of who was first. Gives the sessions for which it says something else than before. */
function writeShared(work: Work, holders: Holders, view: ViewWriter): string[] {
  const { agent, session } = work.told;
  const { sharedBefore: before, items } = work;
  const after = sharedRow(items, session, holders);
  work.shared = after;
  if (before === null && after === null) return [];
  const key = rowKeys.shared(agent, session);
  if (after === null) view.del(key);
  else view.put(key, after);
  const others = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...others].filter(
    (other) => canonicalJson(before?.[other] ?? null) !== canonicalJson(after?.[other] ?? null),
  );
}

/** What these sessions, and those that have lines of theirs, say against each other. */
async function signsAmong(
  agent: string,
  works: ReadonlyMap<string, Work>,
  view: ViewWriter,
): Promise<SignsOf> {
  const rows = new Map<string, SharedRow>();
  const others = new Set<string>();
  for (const [session, { shared }] of works) {
    rows.set(session, shared ?? {});
    for (const other in shared) if (!works.has(other)) others.add(other);
  }
  const keys = [...others].map((session) => rowKeys.shared(agent, session));
  const read = keys.length === 0 ? [] : await view.getMany<SharedRow>(keys);
  [...others].forEach((session, index) => {
    rows.set(session, read[index] ?? {});
  });
  return (session, other) => rows.get(session)?.[other];
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

/** Derives the rows of a session and writes those that differ. */
function write({ told, rows, items }: Work, holders: Holders, signsOf: SignsOf, view: ViewWriter): void {
  const { agent, session } = told;
  const copied = new Set<AnyItem>();
  const isHome = (item: AnyItem) => !copied.has(item);
  const below = rowKeys.turns(agent, session);
  const next = new Map<string, unknown>();
  for (const item of items) {
    const { id, kind, turn, order, at, tellings } = item;
    const home = ownerOf(item, session, holders, signsOf);
    if (home !== null) {
      copied.add(item);
      next.set(rowKeys.copy(id), { agent, session, turn } satisfies CopyRow);
    }
    next.set(`${below}${turn}/${id}`, { id, kind, turn, order, at, home, tellings });
  }
  const turns = turnRows(told, items, isHome);
  for (const turn of turns) next.set(`${below}${turn.id}`, turn);
  if (!isEmpty(told)) next.set(rowKeys.session(agent, session), sessionRow(told, items, turns, copied));

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
  const unfinished = unfinishedTurns(told, byTurn);
  return [...byTurn].map(([id, members]) => {
    const prompt = members.find((item) => item.kind === 'prompt');
    const { first, last } = spanOf(members);
    const inherited = !members.some(isHome);
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
      inherited,
      unfinished: !inherited && unfinished.has(id),
      counts: countItems(members, isHome),
      usage: usage.get(id) ?? NO_USAGE,
    };
  });
}
