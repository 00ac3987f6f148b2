// The `turns` view: what was asked, done and answered, per session and turn. What a page tells of a session is added to
// its structure (skeleton.ts), and what that changes is written: the cost of an event does not grow with its session. A
// turn is never closed, and the rows depend only on which tellings there are.
import type { EventData } from '../../log/index.ts';
import { defineProjector, type ViewWriter } from '../engine/contract/projector.ts';
import { canonicalJson } from '../engine/store/row-digest.ts';
import { ownerOf, type SessionLines, writeLines } from './copies.ts';
import { changeOf, keepSession, openSession, readContent, writeSession } from './derive-session.ts';
import { dropSaved, type ForgottenHere, forgottenIn } from './forget-reports.ts';
import { type Holders, type SignsOf, sharedRow } from './line-owner.ts';
import { dropVectors, putVectors } from './model-vectors.ts';
import { savedRow } from './saved-row.ts';
import type { SessionItem } from './session-item.ts';
import { type SharedRow, sessionKeys } from './session-rows.ts';
import type { Skeleton } from './skeleton.ts';

export const turnsProjector = defineProjector({
  name: 'turns',
  version: 12,
  follows: 'log',
  feed: 'keys',
  fold,
});

/** What is told of a session; everything else is another view's. */
const SESSION_EVENT_TYPES: ReadonlySet<string> = new Set([
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

async function fold(events: readonly EventData[], view: ViewWriter): Promise<void> {
  for (const event of events) {
    if (event.type !== 'memory.saved') continue;
    const row = savedRow(event);
    view.put(sessionKeys.saved(event.agent, event.session, row.id), row);
  }
  putVectors(events, view);
  const forgotten = forgottenIn(events);
  await dropSaved(forgotten, view);
  await dropVectors(forgotten, view);
  for (const [agent, sessions] of byAgent(events, forgotten)) {
    const opened = new Map<string, Skeleton>();
    const open = async (session: string): Promise<Skeleton> => {
      const known = opened.get(session);
      if (known !== undefined) return known;
      const skeleton = await openSession(agent, session, view);
      opened.set(session, skeleton);
      return skeleton;
    };
    const changed = new Set<Skeleton>();
    for (const [session, reports] of sessions) {
      const skeleton = await open(session);
      const change = changeOf(reports, forgotten.events);
      if (await skeleton.change(change, (items) => readContent(skeleton, items, view))) changed.add(skeleton);
    }
    const { holders, touched } = await writeLines(agent, [...changed].map(linesOf), view);
    for (const session of touched) changed.add(await open(session));
    for (const skeleton of changed) noteHolders(skeleton, holders);
    const signed = new Set(changed);
    for (const skeleton of signed)
      for (const other of writeShared(skeleton, view)) changed.add(await open(other));
    const signsOf = await signsAmong(agent, changed, view);
    for (const skeleton of changed) {
      settleHomes(skeleton, holders, signsOf);
      await writeSession(skeleton, view);
    }
    for (const skeleton of opened.values()) keepSession(skeleton, view);
  }
}

function linesOf(skeleton: Skeleton): SessionLines {
  return { session: skeleton.session, ...skeleton.changedLines() };
}

/** `holders`: of all lines that changed in this page. */
function noteHolders(skeleton: Skeleton, holders: Holders): void {
  const { before } = skeleton.changedLines();
  for (const line of before.keys()) if (!holders.has(line)) skeleton.held.delete(line);
  for (const [line, row] of holders)
    if (row.length > 1 && skeleton.itemsOfLine(line).size > 0) skeleton.held.set(line, row);
    else skeleton.held.delete(line);
}

/**
 * Writes what a session's lines say of who was first. Where that changes, gives all sessions that have lines of it: of a
 * line that three have, the two others may decide for the third.
 */
function writeShared(skeleton: Skeleton, view: ViewWriter): string[] {
  const { agent, session, shared: before, items, held } = skeleton;
  const after = sharedRow([...(held.size === 0 ? [] : items.values())], session, held);
  skeleton.shared = after;
  if (canonicalJson(before) === canonicalJson(after)) return [];
  const key = sessionKeys.shared(agent, session);
  if (after === null) view.del(key);
  else view.put(key, after);
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
}

/** What these sessions, and those that have lines of theirs, say against each other. */
async function signsAmong(agent: string, skeletons: Iterable<Skeleton>, view: ViewWriter): Promise<SignsOf> {
  const rows = new Map<string, SharedRow>();
  const others = new Set<string>();
  for (const { session, shared } of skeletons) {
    rows.set(session, shared ?? {});
    for (const other in shared) others.add(other);
  }
  const unknown = [...others].filter((session) => !rows.has(session));
  const read =
    unknown.length === 0
      ? []
      : await view.getMany<SharedRow>(unknown.map((session) => sessionKeys.shared(agent, session)));
  unknown.forEach((session, index) => {
    rows.set(session, read[index] ?? {});
  });
  return (session, other) => rows.get(session)?.[other];
}

/** Finds the owner of every item that may have another one now. */
function settleHomes(skeleton: Skeleton, changed: Holders, signsOf: SignsOf): void {
  const { session, held, dirty } = skeleton;
  const items = new Set<SessionItem>(dirty);
  for (const line of [...held.keys(), ...changed.keys()])
    for (const item of skeleton.itemsOfLine(line)) items.add(item);
  for (const item of items) skeleton.setHome(item, ownerOf(item, session, held, signsOf));
}

function byAgent(
  events: readonly EventData[],
  forgotten: ForgottenHere,
): Map<string, Map<string, EventData[]>> {
  const agents = new Map<string, Map<string, EventData[]>>();
  for (const [agent, sessions] of forgotten.sessions)
    agents.set(agent, new Map([...sessions].map((session) => [session, []])));
  for (const event of events) {
    if (event.session === null || !SESSION_EVENT_TYPES.has(event.type)) continue;
    const sessions = agents.get(event.agent) ?? new Map<string, EventData[]>();
    agents.set(event.agent, sessions);
    const reports = sessions.get(event.session);
    if (reports === undefined) sessions.set(event.session, [event]);
    else reports.push(event);
  }
  return agents;
}
