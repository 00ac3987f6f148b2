// Finds what a person did to items that are forgotten, and what agents proposed about them. These events hold the text.
import type { LogEvent } from '../../log/index.ts';
import { type ActRow, actKeys, type ProposalRow } from '../../projections/index.ts';
import type { Home } from '../home/home.ts';

/** The acts and proposals whose items were made from any of these events, without those that are among them. */
export async function actsOn(
  events: ReadonlyMap<string, LogEvent>,
  { log, views }: Home,
): Promise<readonly LogEvent[]> {
  const acts = (await views.turns.range<ActRow>(actKeys.acts())).map(([, row]) => row);
  const proposals = (await views.turns.range<ProposalRow>(actKeys.proposals())).map(([, row]) => row);
  const isForgotten = (item: { readonly events: readonly string[] } | null) =>
    item?.events.some((id) => events.has(id)) === true;
  const ids = [
    ...acts.filter((row) => isForgotten(row.item) || (row.act === 'supersede' && isForgotten(row.by))),
    ...proposals.filter(({ body }) => isForgotten(body.item) || isForgotten(body.by)),
  ].map(({ event }) => event);
  const found = await log.getMany(ids.filter((id) => !events.has(id)));
  return found.filter((event) => event !== undefined);
}
