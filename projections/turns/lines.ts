// The names of a line that stay the same when a fork, a hand-over or an old-style resume copies it.
import { said } from './identity.ts';
import { merge } from './merge.ts';
import type { ItemRow, TellingBase } from './rows.ts';
import type { AnyItem } from './session.ts';

/** The names under which another session may hold the same line. */
export function lineKeys(item: AnyItem): string[] {
  switch (item.kind) {
    case 'tool':
      return [`tool:${item.tellings[0]!.fact}`];
    case 'reply': {
      const { messageId, block, uuid } = item.merged;
      return [messageId === undefined ? `uuid:${uuid}` : `message:${messageId}:${block ?? 0}`];
    }
    case 'prompt': {
      const { uuid, text, at } = item.merged;
      const keys = uuid === undefined ? [] : [`uuid:${uuid}`];
      if (text !== undefined && at !== undefined) keys.push(`said:${said(at, text)}`);
      return keys;
    }
    case 'stop':
      return item.merged.uuid === undefined ? [] : [`uuid:${item.merged.uuid}`];
  }
}

/** The same, of an item as its row holds it. */
export function lineKeysOfRow(row: ItemRow): string[] {
  return lineKeys({
    kind: row.kind,
    tellings: row.tellings,
    merged: merge<TellingBase>(row.tellings),
  } as unknown as AnyItem);
}
