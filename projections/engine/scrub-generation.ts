// LevelDB keeps old rows in its files until it happens to compact them. So after something was forgotten, a generation is
// copied into a new folder, without the change feed, which holds old rows. The copy keeps the generation's name, so that
// index snapshots stay valid. Indexes must have caught up before.
import { createGenerationFrom, type GenerationContext } from './generation-folders.ts';
import type { Generation } from './store/generation.ts';
import {
  CHECKPOINT_KEY,
  DEAD_LETTERS,
  META_KEY,
  ROWS,
  ROWS_END,
  type ViewStore,
} from './store/view-store.ts';

const ENTRIES_PER_READ = 2_000;
const BATCH_CHARS = 1024 * 1024;
/** LevelDB's own options; a store in memory ignores them. */
const READ_ALL: object = { highWaterMarkBytes: 1024 * 1024, fillCache: false };

/** A new generation with the rows of this one. `forgotten`: event ids whose dead letters are left out. */
export function scrubbed(
  context: GenerationContext,
  generation: Generation,
  forgotten: ReadonlySet<string>,
): Promise<Generation> {
  return createGenerationFrom(context, (target) =>
    generation.lend((source) => copyRows(source, target, generation, forgotten)),
  );
}

async function copyRows(
  source: ViewStore,
  target: ViewStore,
  { checkpoint }: Generation,
  forgotten: ReadonlySet<string>,
): Promise<void> {
  const deadLetters: Record<string, number> = {};
  let batch = target.batch();
  let chars = 0;
  // Dead letters, meta data and rows; feed entries come before them.
  const iterator = source.iterator({ gte: DEAD_LETTERS, lt: ROWS_END, ...READ_ALL });
  try {
    for (let entries = await iterator.nextv(ENTRIES_PER_READ); entries.length > 0; ) {
      const coming = iterator.nextv(ENTRIES_PER_READ);
      coming.catch(() => {});
      for (const [key, value] of entries) {
        if (key === CHECKPOINT_KEY) continue;
        if (key.startsWith(DEAD_LETTERS)) {
          const [, view, subject] = key.split('/') as [string, string, string];
          if (forgotten.has(subject)) continue;
          deadLetters[view] = (deadLetters[view] ?? 0) + 1;
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
    batch.put(CHECKPOINT_KEY, JSON.stringify({ ...checkpoint, feedFrom: checkpoint.seq + 1, deadLetters }));
    await batch.write();
  } finally {
    await iterator.close();
  }
}
