// Copy keys: names of a line that stay the same when a fork, a hand-over or an old-style resume copies it.
import { hash } from 'node:crypto';
import { mergeReports } from './merge-reports.ts';
import type { ItemRow } from './session-rows.ts';

/** The part of an item that its copy keys are made of: a stored row, or one that is being made. */
export type KeyedItem = ItemRow extends infer Row
  ? Row extends ItemRow
    ? Pick<Row, 'kind' | 'reports'>
    : never
  : never;

/** The names under which another session may have the same line. */
export function copyKeysOf(item: KeyedItem): string[] {
  switch (item.kind) {
    case 'tool':
      return [`tool:${item.reports[0]!.dedupeKey}`];
    case 'reply': {
      const { messageId, block, uuid, at, text } = mergeReports(item.reports);
      if (messageId !== undefined) return [`message:${messageId}:${block ?? 0}`];
      // A recap belongs to no message, and a fork made by the SDK gives it a new uuid.
      return lineKeys(uuid, at, text);
    }
    case 'prompt': {
      const { uuid, text, at } = mergeReports(item.reports);
      return lineKeys(uuid, at, text);
    }
    case 'stop': {
      const { uuid, at, reason, error } = mergeReports(item.reports);
      if (uuid === undefined) return [];
      const keys = [`uuid:${uuid}`];
      if (at !== undefined) keys.push(`text:${textIdentity(at, `${reason} ${error ?? ''}`)}`);
      return keys;
    }
  }
}

/** Lines of some agents have no uuid. */
function lineKeys(uuid: string | undefined, at: number | undefined, text: string | undefined): string[] {
  const keys = uuid === undefined ? [] : [`uuid:${uuid}`];
  if (text !== undefined && at !== undefined) keys.push(`text:${textIdentity(at, text)}`);
  return keys;
}

/** A hash of a text and its time: forks made by the SDK give new uuids but keep both. Stored in views only. */
function textIdentity(at: number, text: string): string {
  return hash('sha256', `${at}\n${text}`, 'hex').slice(0, 24);
}
