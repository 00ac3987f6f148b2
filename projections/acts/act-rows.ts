// Rows of the `turns` view for what a person did to remembered items, and for what agents proposed. Each event makes a row of
// its own, so their order does not matter; readers put them together.
//
//   act/<session or nothing>/<event>                  ActRow
//   withdrawal/<session or nothing>/<act>/<event>     WithdrawalRow: the act was taken back
//   proposal/<event>                                  ProposalRow
//   decision/<proposal>/<event>                       DecisionRow
//   waiting/<proposal>                                1: a proposal without a decision
import type { ActedItem, BodyOf, EventData } from '../../log/index.ts';
import type { ViewReader, ViewWriter } from '../engine/contract/projector.ts';
import { below, key, keyParts } from '../engine/store/row-keys.ts';

interface ActBase {
  readonly event: string;
  /** Unix ms. */
  readonly at: number | null;
  readonly item: ActedItem;
}

export type ActRow = ActBase &
  (
    | { readonly act: 'pin' }
    | { readonly act: 'edit'; readonly title: string; readonly text: string }
    | { readonly act: 'supersede'; readonly by: ActedItem | null }
  );

export interface WithdrawalRow {
  readonly at: number | null;
}

export interface ProposalRow {
  readonly event: string;
  readonly at: number | null;
  readonly body: BodyOf<'memory.proposed'>;
}

export interface DecisionRow {
  readonly at: number | null;
  readonly confirmed: boolean;
}

export const actKeys = {
  act: (session: string | null, event: string) => key('act', session ?? '', event),
  actsIn: (session: string | null) => below('act', session ?? ''),
  acts: () => below('act'),
  withdrawal: (session: string | null, act: string, event: string) =>
    key('withdrawal', session ?? '', act, event),
  withdrawalsOf: (session: string | null, act: string) => below('withdrawal', session ?? '', act),
  withdrawalsIn: (session: string | null) => below('withdrawal', session ?? ''),
  proposal: (event: string) => key('proposal', event),
  proposals: () => below('proposal'),
  decision: (proposal: string, event: string) => key('decision', proposal, event),
  decisions: () => below('decision'),
  decisionsOf: (proposal: string) => below('decision', proposal),
  waiting: (proposal: string) => key('waiting', proposal),
  allWaiting: () => below('waiting'),
} as const;

export async function putActs(events: readonly EventData[], view: ViewWriter): Promise<void> {
  const proposals = new Set<string>();
  for (const event of events) {
    const row = actRow(event);
    if (row !== null) view.put(actKeys.act(event.session, event.id), row);
    else if (event.type === 'memory.withdrawn')
      for (const { id, session } of event.body.acts)
        view.put(actKeys.withdrawal(session, id, event.id), { at: event.occurredAt } satisfies WithdrawalRow);
    else if (event.type === 'memory.proposed') {
      const { id, occurredAt: at, body } = event;
      view.put(actKeys.proposal(id), { event: id, at, body } satisfies ProposalRow);
      proposals.add(id);
    } else if (event.type === 'memory.confirmed') {
      const { occurredAt: at, body } = event;
      const row: DecisionRow = { at, confirmed: body.confirmed };
      view.put(actKeys.decision(body.proposal, event.id), row);
      proposals.add(body.proposal);
    }
  }
  await settleWaiting(proposals, view);
}

/** Removes the rows of forgotten events. They are in the session of their envelope. */
export async function dropActs(
  forgotten: ReadonlySet<string>,
  sessions: Iterable<string | null>,
  view: ViewWriter,
): Promise<void> {
  for (const session of new Set(sessions)) {
    for (const [rowKey, { event }] of await view.range<ActRow>(actKeys.actsIn(session)))
      if (forgotten.has(event)) view.del(rowKey);
    for (const [rowKey] of await view.range(actKeys.withdrawalsIn(session)))
      if (forgotten.has(rowKey.slice(rowKey.lastIndexOf('/') + 1))) view.del(rowKey);
  }
  const proposals = new Set<string>();
  for (const [rowKey, { event }] of await view.range<ProposalRow>(actKeys.proposals()))
    if (forgotten.has(event)) {
      view.del(rowKey);
      proposals.add(event);
    }
  for (const [rowKey] of await view.range(actKeys.decisions())) {
    const [, proposal, event] = keyParts(rowKey) as [string, string, string];
    if (!forgotten.has(event)) continue;
    view.del(rowKey);
    proposals.add(proposal);
  }
  await settleWaiting(proposals, view);
}

async function settleWaiting(proposals: Iterable<string>, view: ViewWriter): Promise<void> {
  for (const proposal of proposals) {
    const isDecided = (await view.range(actKeys.decisionsOf(proposal), { limit: 1 })).length > 0;
    const isKnown = (await view.get(actKeys.proposal(proposal))) !== undefined;
    if (isKnown && !isDecided) view.put(actKeys.waiting(proposal), 1);
    else view.del(actKeys.waiting(proposal));
  }
}

/** The proposals without an answer, oldest first. */
export async function waitingProposals(view: ViewReader): Promise<readonly ProposalRow[]> {
  const ids = (await view.range(actKeys.allWaiting())).map(([rowKey]) => keyParts(rowKey)[1]!);
  const rows = await view.getMany<ProposalRow>(ids.map(actKeys.proposal));
  const waiting = rows.filter((row) => row !== undefined);
  return waiting.sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.event < b.event ? -1 : 1));
}

function actRow(event: EventData): ActRow | null {
  const { id, occurredAt: at } = event;
  switch (event.type) {
    case 'memory.pinned':
      return { act: 'pin', event: id, at, item: event.body.item };
    case 'memory.edited': {
      const { item, title, text } = event.body;
      return { act: 'edit', event: id, at, item, title, text };
    }
    case 'memory.superseded':
      return { act: 'supersede', event: id, at, item: event.body.item, by: event.body.by };
    default:
      return null;
  }
}
