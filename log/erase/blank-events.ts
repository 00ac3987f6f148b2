// Blanking: writes the record of a forgotten event again without its salt and its body, under the same key.
// The chain does not change, because it covers the body's hash and not the body; without the salt the text cannot be
// guessed from that hash. The old bytes stay in LevelDB's files until the log is rewritten.
import type { BodyOf } from '../catalog/index.ts';
import { EVENT_ID, eventKey, FORGOTTEN, identityKey, META_KEY, readPosition } from '../format/keys.ts';
import { blanked, isBlank, parseHeader, sealValue } from '../format/record.ts';
import { BLANKS_SINCE, type Meta, metaOf } from '../meta.ts';
import type { Store } from '../store.ts';

/** A write of one key; `record` null removes it. */
export interface RawWrite {
  readonly key: Buffer;
  readonly record: Buffer | null;
}

const IDS_PER_READ = 500;

/** The writes that blank these events, for those that are in the log with a body. A `memory.forgotten` is never blanked. */
export async function blankingOf(
  store: Store,
  meta: Pick<Meta, 'logId' | 'origin'>,
  ids: readonly string[],
): Promise<RawWrite[]> {
  const needed = metaOf(meta, BLANKS_SINCE);
  const writes: RawWrite[] = [{ key: META_KEY, record: sealValue(META_KEY, needed) }];
  for (let from = 0; from < ids.length; from += IDS_PER_READ) {
    const some = ids.slice(from, from + IDS_PER_READ).filter((id) => EVENT_ID.test(id));
    const positions = (await store.getMany(some.map(identityKey))).flatMap((found) =>
      found === undefined ? [] : [readPosition(found, 0)],
    );
    const keys = positions.map(eventKey);
    const records = await store.getMany(keys);
    for (const [index, record] of records.entries()) {
      if (record === undefined || isBlank(record)) continue;
      if (parseHeader(record)?.type === 'memory.forgotten') continue;
      writes.push({ key: keys[index]!, record: blanked(record) });
    }
  }
  return writes;
}

/** Positions of the `memory.forgotten` events, in order. */
export async function forgettingPositions(store: Store): Promise<number[]> {
  const keys = await store.keys({ gt: Buffer.from([FORGOTTEN]), lt: Buffer.from([FORGOTTEN + 1]) }).all();
  return keys.flatMap((key) => (key.length === 9 ? [readPosition(key, 1)] : []));
}

/**
 * The body of a `memory.forgotten` with all its lists: another version may have left out an empty one, and the log
 * must still open.
 */
export function withLists(body: Partial<BodyOf<'memory.forgotten'>>): BodyOf<'memory.forgotten'> {
  const { events, names, items } = body;
  const groups = listOf(events).map((group) => ({
    ...group,
    ids: listOf(group.ids),
    ...(group.prompts === undefined ? {} : { prompts: listOf(group.prompts) }),
  }));
  return {
    ...(body as BodyOf<'memory.forgotten'>),
    events: groups,
    names: listOf(names),
    items: listOf(items),
  };
}

function listOf<T>(list: readonly T[] | undefined): T[] {
  return Array.isArray(list) ? list : [];
}
