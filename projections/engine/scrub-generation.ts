// Scrubbing: a LevelDB keeps old rows in its files until chance compacts them away. So a generation of which
// something was forgotten is copied into a fresh folder, rows and anchor alone, and that one is swapped in. It
// keeps its name as a generation: whoever follows it stands where it stood. The change feed, which holds rows as
// they were, is left behind; everybody must have taken it over before.

import type { Projector } from './contract/projector.ts';
import { createGenerationFrom, type GenerationContext } from './generation.ts';
import type { KvView } from './store/kv-view.ts';
import {
  CHECKPOINT_KEY,
  DEAD_LETTERS,
  ROWS,
  ROWS_END,
  VIEW_META_KEY,
  type ViewStore,
} from './store/view-store.ts';

const ENTRIES_PER_READ = 2_000;
const BATCH_CHARS = 1024 * 1024;
/** LevelDB's own options; a store in memory passes over them. */
const READ_ALL: object = { highWaterMarkBytes: 1024 * 1024, fillCache: false };

/** A fresh generation with the rows of this one. It is nobody's until it is swapped in. */
export function scrubbed(
  generationContext: GenerationContext,
  projector: Projector,
  live: KvView,
  forgotten: ReadonlySet<string>,
): Promise<KvView> {
  return createGenerationFrom(generationContext, projector, (target) =>
    live.lend((source) => copyRows(source, target, live, forgotten)),
  );
}

async function copyRows(
  source: ViewStore,
  target: ViewStore,
  { checkpoint }: KvView,
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
        if (key === CHECKPOINT_KEY) continue;
        if (key.startsWith(DEAD_LETTERS)) {
          if (forgotten.has(key.slice(DEAD_LETTERS.length))) continue;
          dead += 1;
        } else if (!key.startsWith(ROWS) && key !== VIEW_META_KEY) continue;
        batch.put(key, value);
        chars += key.length + value.length;
        if (chars < BATCH_CHARS) continue;
        await batch.write();
        batch = target.batch();
        chars = 0;
      }
      entries = await coming;
    }
    batch.put(CHECKPOINT_KEY, JSON.stringify({ ...checkpoint, feedFrom: checkpoint.seq + 1, dead }));
    await batch.write();
  } finally {
    await iterator.close();
  }
}
