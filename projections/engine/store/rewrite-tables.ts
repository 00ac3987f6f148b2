// LevelDB keeps a row that was replaced or removed in its tables until it happens to compact them. `compactRange` alone
// leaves every table that no other one overlaps. So each table is given something to merge with, and the list of tables
// shows that none is left. LevelDB's manifest keeps the last key that each level compacted: that is END.
import type { ClassicLevel } from 'classic-level';
import { settleStore } from '../../../log/index.ts';
import { END, type ViewStore } from './view-store.ts';

/** What `level` opens; its types leave `compactRange` and `getProperty` out. */
type LevelStore = ClassicLevel<string, string>;

/** Before every key, and after. */
const FIRST = 'a';
const LAST = 'z';
/** LevelDB writes a new table into one of the first three levels, above each that it overlaps. */
const NEW_TABLE_LEVELS = 3;
/** One is enough unless LevelDB moves a table to another level meanwhile. */
const ROUNDS_MAX = 4;

/**
 * Writes every table again, without what was replaced or removed before the call. The store must have no snapshot, which
 * would keep old rows. What is on disk then is synced. A store in memory has no tables.
 * @throws TypeError when a table remains; what LevelDB throws
 */
export async function rewriteTables(store: ViewStore): Promise<void> {
  if ('compactRange' in store) await rewriteAll(store as unknown as LevelStore);
}

async function rewriteAll(store: LevelStore): Promise<void> {
  // Makes a table of the last writes, and waits for a compaction that began before them.
  await settleStore(store);
  const before = tablesOf(store);
  let left = before;
  for (let round = 0; left.size > 0; round++) {
    if (round === ROUNDS_MAX) throw new TypeError('Tables with old rows remain.');
    // One table in each level, so that each level compacts something.
    for (let level = 0; level < NEW_TABLE_LEVELS; level++) {
      await writeAgain(store, [...left.values()]);
      await settleStore(store);
    }
    await store.compactRange(FIRST, LAST);
    left = new Map([...tablesOf(store)].filter(([number]) => before.has(number)));
  }
}

/** The first key of each table, by the number in its file name. */
function tablesOf(store: LevelStore): ReadonlyMap<number, string> {
  const tables = store.getProperty('leveldb.sstables').matchAll(/^ (\d+):\d+\['(.*?)' @ \d+ : /gm);
  return new Map(Array.from(tables, ([, number, key]) => [Number(number), unescaped(key!)]));
}

/** LevelDB prints other bytes than printable ASCII as `\xe9`; no key of ours holds a backslash. */
function unescaped(key: string): string {
  const bytes = key.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** Writes rows again as they are, or the removal of rows that are not there; and END. */
async function writeAgain(store: LevelStore, keys: readonly string[]): Promise<void> {
  const values = await store.getMany([...keys]);
  const batch = store.batch().put(END, '');
  keys.forEach((key, index) => {
    const value = values[index];
    if (value === undefined) batch.del(key);
    else batch.put(key, value);
  });
  await batch.write();
}
