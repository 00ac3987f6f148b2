// Cursors: how far readers of other sources have read. They are kept in the log, so that a cursor is written together
// with the events it covers.
import { AnnalsError } from '../errors.ts';
import { CURSOR, cursorKey } from '../format/keys.ts';
import { openValue } from '../format/record.ts';
import type { Store } from '../store.ts';

export interface Cursor {
  readonly key: string;
  readonly value: unknown;
}

/** @throws AnnalsError LOG_DAMAGED */
export async function readCursor(store: Store, key: string): Promise<Cursor | undefined> {
  const stored = cursorKey(key);
  const record = await store.get(stored);
  return record === undefined ? undefined : openCursor(stored, record);
}

/** The cursors whose key has this prefix, in order. @throws AnnalsError LOG_DAMAGED */
export async function readCursors(store: Store, prefix: string): Promise<readonly Cursor[]> {
  const range = { gte: cursorKey(prefix), lt: Buffer.from([CURSOR + 1]) };
  const found: Cursor[] = [];
  for await (const [key, record] of store.iterator(range)) {
    const cursor = openCursor(key, record);
    if (!cursor.key.startsWith(prefix)) break;
    found.push(cursor);
  }
  return found;
}

function openCursor(key: Buffer, record: Buffer): Cursor {
  const cursor = openValue(key, record);
  if (cursor !== undefined) return cursor as Cursor;
  throw new AnnalsError('LOG_DAMAGED', 'A cursor in the log is damaged.', {
    hint: 'Run annals verify; reading the source again from its beginning is always safe.',
  });
}
