// Finds the original of an item that is a copy.
import type { ViewReader } from '../engine/contract/projector.ts';
import { copyKeysOf } from './copy-keys.ts';
import { type CopyLocation, type ItemRow, isItemRow, sessionKeys, type TurnRow } from './session-rows.ts';

export interface CopiedItem extends CopyLocation {
  readonly id: string;
}

/** Copies whose id begins with `start`, in the order of their ids. */
export async function copiesByStart(
  view: ViewReader,
  start: string,
  limit?: number,
): Promise<readonly CopiedItem[]> {
  const prefix = sessionKeys.copy(start);
  const rows = await view.range<CopyLocation>(prefix, limit === undefined ? {} : { limit });
  return rows.map(([rowKey, row]) => ({ ...row, id: `${start}${rowKey.slice(prefix.length)}` }));
}

/** The same line in the session that owns it. */
export async function copiedFrom(
  view: ViewReader,
  { agent, session, turn, id }: CopiedItem,
): Promise<{ readonly session: string; readonly item: ItemRow } | undefined> {
  const copy = await view.get<ItemRow>(sessionKeys.item(agent, session, turn, id));
  if (copy === undefined || copy.owner === null) return undefined;
  const lines = new Set(copyKeysOf(copy));
  for (const [, row] of await view.range<TurnRow | ItemRow>(sessionKeys.turns(agent, copy.owner)))
    if (isItemRow(row) && row.kind === copy.kind && copyKeysOf(row).some((line) => lines.has(line)))
      return { session: copy.owner, item: row };
  return undefined;
}
