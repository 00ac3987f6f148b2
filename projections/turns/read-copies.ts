// From an item that is a copy to the item that it is a copy of.
import type { ViewReader } from '../projector.ts';
import { lineKeys } from './lines.ts';
import { type CopyRow, type ItemRow, isItem, rowKeys, type TurnRow } from './rows.ts';

export interface CopiedItem extends CopyRow {
  readonly id: string;
}

/** Items that are copies and whose id begins so, in the order of their ids. */
export async function copiesByStart(
  view: ViewReader,
  start: string,
  limit?: number,
): Promise<readonly CopiedItem[]> {
  const prefix = rowKeys.copy(start);
  const rows = await view.range<CopyRow>(prefix, limit === undefined ? {} : { limit });
  return rows.map(([rowKey, row]) => ({ ...row, id: `${start}${rowKey.slice(prefix.length)}` }));
}

/** The same line in the session that owns it. */
export async function copiedFrom(
  view: ViewReader,
  { agent, session, turn, id }: CopiedItem,
): Promise<{ readonly session: string; readonly item: ItemRow } | undefined> {
  const copy = await view.get<ItemRow>(rowKeys.item(agent, session, turn, id));
  if (copy === undefined || copy.home === null) return undefined;
  const lines = new Set(lineKeys(copy));
  for (const [, row] of await view.range<TurnRow | ItemRow>(rowKeys.turns(agent, copy.home)))
    if (isItem(row) && row.kind === copy.kind && lineKeys(row).some((line) => lines.has(line)))
      return { session: copy.home, item: row };
  return undefined;
}
