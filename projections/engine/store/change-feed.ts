// A view's change feed: one entry for each row that a page changed, in the batch of the rows. It is read in
// pages in which each key stands once, with what it was before the page and what it is after. A feed is only
// written while somebody follows this generation, and the entries that all followers have passed are trimmed
// to the newest few: who comes later, or from another generation, is filled from the rows instead.
import type { Change, Projector, Row } from '../contract/projector.ts';
import type { RowChange } from './view-page.ts';
import { CHANGES, CHANGES_END, changeKey, type ViewBatch, type ViewStore } from './view-store.ts';

/** Entries kept although all followers have passed them: an index that is built on demand may still want them. */
export const FEED_KEPT = 10_000;

export interface FeedPage {
  readonly changes: readonly Change[];
  /** The newest entry that this page covers. */
  readonly seq: number;
}

/** Writes the entries for a page's changes, numbered from `seq + 1`. */
export function putFeed(
  batch: ViewBatch,
  changes: readonly RowChange[],
  seq: number,
  feed: Projector['feed'],
): void {
  changes.forEach(({ key, before, after }, index) => {
    const name = JSON.stringify(key);
    const entry = feed === 'rows' ? `[${name},${before ?? 'null'},${after ?? 'null'}]` : `[${name}]`;
    batch.put(changeKey(seq + 1 + index), entry);
  });
}

/**
 * Entries after `after`, at most `limit`, as one net change per key in the order of their first entry. The view says
 * that `newest` is its newest entry: one that is missing must be noticed, for whoever follows would wait for it.
 */
export async function readFeed(
  store: ViewStore,
  { after, limit, newest }: { after: number; limit: number; newest: number },
): Promise<FeedPage> {
  const entries = await store.iterator({ gt: changeKey(after), lt: CHANGES_END, limit }).all();
  const seq = entries.length === 0 ? after : Number.parseInt(entries.at(-1)![0].slice(CHANGES.length), 16);
  if (entries.length < Math.min(limit, newest - after) || seq !== after + entries.length)
    throw new TypeError('The change feed lacks entries that the view says it wrote.');
  const net = new Map<string, Change>();
  let twice = false;
  for (const [, text] of entries) {
    const [key, before = null, after = null] = JSON.parse(text) as [string, Row?, Row?];
    const first = net.get(key);
    twice ||= first !== undefined;
    net.set(key, { key, before: first === undefined ? before : first.before, after });
  }
  const changes = [...net.values()];
  return {
    changes: twice ? changes.filter(changedSomething) : changes,
    seq,
  };
}

/** Removes entries below `feedFrom`. The anchor that says so is on its way to disk before this is called. */
export async function trimFeed(store: ViewStore, feedFrom: number): Promise<void> {
  await store.clear({ gte: CHANGES, lt: changeKey(feedFrom) });
}

/** False for a row that came and went, or went back to what it was, within one page. */
function changedSomething(change: Change): boolean {
  // A feed of keys says only that something happened.
  if (change.before === null && change.after === null) return true;
  return JSON.stringify(change.before) !== JSON.stringify(change.after);
}
