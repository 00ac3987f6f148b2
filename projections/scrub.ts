// Scrubbing: a LevelDB keeps old rows in its files until chance compacts them away. So a generation of which
// something was forgotten is copied into a fresh folder, rows and anchor alone, and that one is swapped in. It
// keeps its name as a generation: whoever follows it stands where it stood. The change feed, which holds rows as
// they were, is left behind; everybody must have taken it over before.
import { createGenerationFrom, type Workshop } from './generation.ts';
import type { KvView } from './kv-view.ts';
import type { Projector } from './projector.ts';
import { ANCHOR_KEY, DEAD_LETTERS, META_KEY, ROWS, ROWS_END, type ViewStore } from './store.ts';

const ENTRIES_PER_READ = 2_000;
const BATCH_CHARS = 1024 * 1024;
/** LevelDB's own options; a store in memory passes over them. */
const READ_ALL: object = { highWaterMarkBytes: 1024 * 1024, fillCache: false };

/** A fresh generation with the rows of this one. It is nobody's until it is swapped in. */
export function scrubbed(
  workshop: Workshop,
  projector: Projector,
  live: KvView,
  forgotten: ReadonlySet<string>,
): Promise<KvView> {
  return createGenerationFrom(workshop, projector, (target) =>
    live.lend((source) => copyRows(source, target, live, forgotten)),
  );
}

async function copyRows(
  source: ViewStore,
  target: ViewStore,
  { anchor }: KvView,
  forgotten: ReadonlySet<string>,
): Promise<void> {
  let dead = 0;
  let batch = target.batch();
  let chars = 0;
  // Dead letters, meta and rows; the feed stands before them.
  const iterator = source.iterator({ gte: DEAD_LETTERS, lt: ROWS_END, ...READ_ALL });
  try {
    for (let entries = await iterator.nextv(ENTRIES_PER_READ); entries.length > 0; ) {
      const coming = iterator.nextv(ENTRIES_PER_READ);
      coming.catch(() => {});
      for (const [key, value] of entries) {
        if (key === ANCHOR_KEY) continue;
        if (key.startsWith(DEAD_LETTERS)) {
          if (forgotten.has(key.slice(DEAD_LETTERS.length))) continue;
          dead += 1;
        } else if (!key.startsWith(ROWS) && key !== META_KEY) continue;
        batch.put(key, value);
        chars += key.length + value.length;
        if (chars < BATCH_CHARS) continue;
        await batch.write();
        batch = target.batch();
        chars = 0;
      }
      entries = await coming;
    }
    batch.put(ANCHOR_KEY, JSON.stringify({ ...anchor, feedFrom: anchor.seq + 1, dead }));
    await batch.write();
  } finally {
    await iterator.close();
  }
}
