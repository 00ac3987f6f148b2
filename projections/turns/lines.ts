// The names of a line that stay the same when a fork, a hand-over or an old-style resume copies it.
import { said } from './identity.ts';
import { merge } from './merge.ts';
import type { ItemRow } from './rows.ts';

/** An item as far as its names need it: a row, or what is to become one. */
export type NamedItem = ItemRow extends infer Row
  ? Row extends ItemRow
    ? Pick<Row, 'kind' | 'tellings'>
    : never
  : never;

/** The names under which another session may hold the same line. */
export function lineKeys(item: NamedItem): string[] {
  switch (item.kind) {
    case 'tool':
      return [`tool:${item.tellings[0]!.fact}`];
    case 'reply': {
      const { messageId, block, uuid, at, text } = merge(item.tellings);
      if (messageId !== undefined) return [`message:${messageId}:${block ?? 0}`];
      // A recap belongs to no message, and a fork by the SDK gives it a new uuid.
      return at === undefined || text === undefined
        ? [`uuid:${uuid}`]
        : [`uuid:${uuid}`, `said:${said(at, text)}`];
    }
    case 'prompt': {
      const { uuid, text, at } = merge(item.tellings);
      const keys = uuid === undefined ? [] : [`uuid:${uuid}`];
      if (text !== undefined && at !== undefined) keys.push(`said:${said(at, text)}`);
      return keys;
    }
    case 'stop': {
      const { uuid, at, reason, error } = merge(item.tellings);
      if (uuid === undefined) return [];
      const keys = [`uuid:${uuid}`];
      if (at !== undefined) keys.push(`said:${said(at, `${reason} ${error ?? ''}`)}`);
      return keys;
    }
  }
}
