// The change feed of a generation: the key of each changed row of a view that an index follows, in the batch of the rows.
// An index reads the rows themselves from the view. The feed is written only while an index uses this generation. Entries
// that all indexes have passed are trimmed to the newest few; an index that needs older ones is built from the rows instead.
import type { AbstractSnapshot } from 'abstract-level';
import type { RowChange } from './view-page.ts';
import { CHANGES, CHANGES_END, changeKey, type ViewBatch, type ViewStore } from './view-store.ts';

/** Entries kept although all indexes have passed them: another index may still need them. */
export const FEED_KEPT = 10_000;

export interface FeedPage {
  /** Each changed key once, in the order of the first change. */
  readonly keys: readonly string[];
  /** The newest entry that this page covers. */
  readonly seq: number;
}

/** Writes the entries for a page's changes of one view, numbered from `seq + 1`. */
export function putFeed(batch: ViewBatch, view: string, changes: readonly RowChange[], seq: number): void {
  changes.forEach(({ key }, index) => {
    batch.put(changeKey(seq + 1 + index), JSON.stringify([view, key]));
  });
}

/**
 * The keys of a view that changed after `after`, from at most `limit` entries. `newest` is the number of the newest entry: a missing entry must be noticed, because an index would wait for it.
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
  const keys = new Set<string>();
  for (const [, text] of entries) {
    const [of, key] = JSON.parse(text) as [string, string];
    if (of === view) keys.add(key);
  }
  return { keys: [...keys], seq };
}

/** Removes entries below `feedFrom`. The checkpoint that says so must be written first. */
export async function trimFeed(store: ViewStore, feedFrom: number): Promise<void> {
  await store.clear({ gte: CHANGES, lt: changeKey(feedFrom) });
}
