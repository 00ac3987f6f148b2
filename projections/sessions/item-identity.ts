// Under which name a line is the same line in every session: what makes a copy a copy.
import { hash } from 'node:crypto';
import { readPrompt } from './merge-reports.ts';
import type { ItemRow } from './session-rows.ts';

/** A tool use by its id, everything else by its time and words where known; equal for an item and its copies. */
export function itemIdentity(item: ItemRow): string {
  if (item.kind === 'tool') return item.reports[0]!.dedupeKey;
  if (item.kind === 'prompt') {
    const { text, at } = readPrompt(item);
    if (text !== undefined && at !== undefined) return wordsIdentity(at, text);
  }
  return item.id;
}

/** A name for words said at a time: forks made by the SDK give new uuids but keep both. Held in views only. */
export function wordsIdentity(at: number, text: string): string {
  return hash('sha256', `${at}\n${text}`, 'hex').slice(0, 24);
}
