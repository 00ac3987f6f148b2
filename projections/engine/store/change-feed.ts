// The change feed of a generation: one entry for each changed row of a view that an index follows, in the batch of the
// rows. It is written only while an index uses this generation. Entries that all indexes have passed are trimmed to the
// newest few; an index that needs older ones is built from the rows instead.
import type { AbstractSnapshot } from 'abstract-level';
import type { Change, Row } from '../contract/projector.ts';
import type { RowChange } from './view-page.ts';
import { CHANGES, CHANGES_END, changeKey, type ViewBatch, type ViewStore } from './view-store.ts';

/** Entries kept although all indexes have passed them: another index may still need them. */
export const FEED_KEPT = 10_000;

export interface FeedPage {
  readonly changes: readonly Change[];
  /** The newest entry that this page covers. */
  readonly seq: number;
}

/** Writes the entries for a page's changes of one view, numbered from `seq + 1`. */
export function putFeed(
  batch: ViewBatch,
  view: string,
  changes: readonly RowChange[],
  { seq, rows }: { readonly seq: number; readonly rows: boolean },
): void {
  const start = `[${JSON.stringify(view)},`;
  changes.forEach(({ key, before, after }, index) => {
    const name = `${start}${JSON.stringify(key)}`;
    const entry = rows ? `${name},${before ?? 'null'},${after ?? 'null'}]` : `${name}]`;
    batch.put(changeKey(seq + 1 + index), entry);
  });
}

/**
 * The changes of a view after `after`, from at most `limit` entries, as one net change per key in the order of the first
 * entry. `newest` is the number of the newest entry: a missing entry must be noticed, because an index would wait for it.
 * @throws TypeError when entries are missing
 */
export async function readFeed(
  store: ViewStore,
  {
    view,
    after,
    limit,
    newest,
    snapshot,
  }: { view: string; after: number; limit: number; newest: number; snapshot: AbstractSnapshot },
): Promise<FeedPage> {
  const entries = await store.iterator({ gt: changeKey(after), lt: CHANGES_END, limit, snapshot }).all();
  const seq = entries.length === 0 ? after : Number.parseInt(entries.at(-1)![0].slice(CHANGES.length), 16);
  if (entries.length < Math.min(limit, newest - after) || seq !== after + entries.length)
    throw new TypeError('Entries of the change feed are missing.');
  const net = new Map<string, Change>();
  let mayBeUndone = false;
  for (const [, text] of entries) {
    const [of, key, ...rows] = JSON.parse(text) as [string, string, Row?, Row?];
    if (of !== view) continue;
    const [before = null, after = null] = rows;
    const first = net.get(key);
    // An entry without rows only says that something happened.
    mayBeUndone ||= first !== undefined && rows.length > 0;
    net.set(key, { key, before: first === undefined ? before : first.before, after });
  }
  const changes = [...net.values()];
  return { changes: mayBeUndone ? changes.filter(isChanged) : changes, seq };
}

/** Removes entries below `feedFrom`. The checkpoint that says so must be written first. */
export async function trimFeed(store: ViewStore, feedFrom: number): Promise<void> {
  await store.clear({ gte: CHANGES, lt: changeKey(feedFrom) });
}

/** False for a row that came and went, or went back to what it was, within one page. */
function isChanged({ before, after }: Change): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}
