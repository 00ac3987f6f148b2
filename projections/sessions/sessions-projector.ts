// The `turns` view: prompts, tool uses and replies, per session and turn. The reports of a page are added to the structure of
// their session (skeleton.ts), and only what changed is written: the cost of an event does not grow with its session. A
// turn is never closed, and the rows depend only on the set of events.
import { type EventData, pushTo } from '../../log/index.ts';
import { dropActs, putActs } from '../acts/act-rows.ts';
import { defineProjector, type ViewWriter } from '../engine/contract/projector.ts';
import { canonicalJson } from '../engine/store/row-digest.ts';
import { dropCorpora, putCorpora } from '../observer/corpus-rows.ts';
import { dropReadings, putReadings } from '../observer/reading-rows.ts';
import { ownerOf, type SessionLines, writeLines } from './copies.ts';
import { changeOf, keepSession, openSession, readContent, writeSession } from './derive-session.ts';
import { dropRows, type ForgottenInPage, forgottenIn } from './forget-reports.ts';
import type { EvidenceOf, Holders } from './line-owner.ts';
import { dropVectors, putVectors } from './model-vectors.ts';
import { importedRow, injectedRow, savedRow } from './saved-row.ts';
import type { SessionItem } from './session-item.ts';
import { type SharedRow, sessionKeys } from './session-rows.ts';
import type { Skeleton } from './skeleton.ts';

export const turnsProjector = defineProjector({
  name: 'turns',
  version: 40,
  follows: 'log',
  changes: 'keys',
  fold,
});

/** The events that make sessions and turns. */
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
    if (event.type === 'memory.saved') {
      const row = savedRow(event);
      view.put(sessionKeys.saved(event.agent, event.session, row.id), row);
    } else if (event.type === 'import.memory') {
      const row = importedRow(event);
      view.put(sessionKeys.imported(row), row);
    } else if (event.type === 'context.injected') {
      const row = injectedRow(event);
      view.put(sessionKeys.injected(row), row);
    }
  }
  putVectors(events, view);
  await putActs(events, view);
  await putReadings(events, view);
  putCorpora(events, view);
  const forgotten = forgottenIn(events);
  await dropRows(forgotten, view);
  await dropVectors(forgotten, view);
  await dropReadings(forgotten.events, forgotten.savedAt, view);
  await dropCorpora(forgotten.events, forgotten.savedAt, view);
  if (forgotten.savedAt.length > 0)
    await dropActs(
      forgotten.events,
      forgotten.savedAt.map(([, session]) => session),
      view,
    );
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
      const prompts = forgotten.prompts.filter((one) => one.agent === agent && one.session === session);
      const change = changeOf(
        reports,
        forgotten.events,
        prompts.map(({ report }) => report),
      );
      if (await skeleton.change(change, (items) => readContent(skeleton, items, view))) changed.add(skeleton);
    }
    const { holders, touched } = await writeLines(agent, [...changed].map(linesOf), view);
    for (const session of touched) changed.add(await open(session));
    for (const skeleton of changed) noteHolders(skeleton, holders);
    /** Sessions whose evidence changed, or that of another session against them. */
    const judgedAgain = new Set<Skeleton>();
    for (const skeleton of [...changed]) {
      const others = writeShared(skeleton, view);
      if (others.length > 0) judgedAgain.add(skeleton);
      for (const other of others) judgedAgain.add(await open(other));
    }
    for (const skeleton of judgedAgain) changed.add(skeleton);
    const evidenceOf = await evidenceAmong(agent, changed, view);
    for (const skeleton of changed) {
      const lines = judgedAgain.has(skeleton)
        ? [...skeleton.sharedLines.keys(), ...holders.keys()]
        : holders.keys();
      settleOwners(skeleton, lines, evidenceOf);
      await writeSession(skeleton, view);
    }
    for (const skeleton of opened.values()) keepSession(skeleton, view);
  }
}

function linesOf(skeleton: Skeleton): SessionLines {
  return { session: skeleton.session, ...skeleton.lines.changes() };
}

/** `holders`: the sessions of all lines that changed in this page. */
function noteHolders(skeleton: Skeleton, holders: Holders): void {
  const { before } = skeleton.lines.changes();
  const { lines, sharedLines, sharedEvidence } = skeleton;
  const drop = (line: string): void => {
    if (sharedLines.delete(line)) sharedEvidence.noteSharedLines();
  };
  for (const line of before.keys()) if (!holders.has(line)) drop(line);
  for (const [line, row] of holders)
    if (row.length > 1 && lines.itemsOf(line).size > 0) {
      sharedLines.set(line, row);
      sharedEvidence.noteSharedLines();
    } else drop(line);
}

/**
 * Writes the evidence for the owner of a session's shared lines. If it changed, returns all sessions that share lines with
 * it: the evidence between two sessions may decide about the line of a third.
 */
function writeShared(skeleton: Skeleton, view: ViewWriter): string[] {
  const { agent, session, shared: before, items, sharedLines, sharedEvidence } = skeleton;
  const after = sharedEvidence.row(items, session, sharedLines);
  skeleton.shared = after;
  if (canonicalJson(before) === canonicalJson(after)) return [];
  const key = sessionKeys.shared(agent, session);
  if (after === null) view.del(key);
  else view.put(key, after);
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
}

/** The evidence between these sessions and all that share lines with them. */
async function evidenceAmong(
  agent: string,
  skeletons: Iterable<Skeleton>,
  view: ViewWriter,
): Promise<EvidenceOf> {
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

/** Sets the owner of changed items and of those of these lines. */
function settleOwners(skeleton: Skeleton, lines: Iterable<string>, evidenceOf: EvidenceOf): void {
  const { session, sharedLines, dirty } = skeleton;
  const items = new Set<SessionItem>(dirty);
  for (const line of lines) for (const item of skeleton.lines.itemsOf(line)) items.add(item);
  for (const item of items) skeleton.setOwner(item, ownerOf(item, session, sharedLines, evidenceOf));
}

function byAgent(
  events: readonly EventData[],
  forgotten: ForgottenInPage,
): Map<string, Map<string, EventData[]>> {
  const agents = new Map<string, Map<string, EventData[]>>();
  for (const [agent, sessions] of forgotten.sessions)
    agents.set(agent, new Map([...sessions].map((session) => [session, []])));
  for (const event of events) {
    if (event.session === null || !SESSION_EVENT_TYPES.has(event.type)) continue;
    const sessions = agents.get(event.agent) ?? new Map<string, EventData[]>();
    agents.set(event.agent, sessions);
    pushTo(sessions, event.session, event);
  }
  return agents;
}
