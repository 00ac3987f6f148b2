// A view's digest, of rows that LevelDB still reads through but no longer finds.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestRows } from '../../../projections/engine/store/row-digest.ts';
import { openLevelStore, type ViewStore } from '../../../projections/engine/store/view-store.ts';
import { testFolder } from '../../helpers/views.ts';

const FILTER = 'filter.leveldb.BuiltinBloomFilter2';

test('a row that a damaged filter hides from looking it up changes the digest', async () => {
  const folder = await testFolder();
  const keys = Array.from({ length: 500 }, (_, number) => `r/toy/row/${number}`);
  const at = <T>(work: (store: ViewStore) => Promise<T>): Promise<T> => inStore(folder, work);
  await at((store) => store.batch(keys.map((key) => ({ type: 'put', key, value: `{"of":"${key}"}` }))));
  // Opened again, LevelDB makes a table of what it finds in the write-ahead file.
  const digest = (store: ViewStore): Promise<string> => digestRows(store, 'r/toy/', { everyWay: true });
  const whole = await at(digest);
  const table = join(folder, readdirSync(folder).find((name) => name.endsWith('.ldb'))!);
  const bytes = readFileSync(table);
  const from = filterOf(bytes);
  const isHidden = () => at(async (store) => (await store.getMany(keys)).includes(undefined as never));
  for (let byte = from; !(await isHidden()); byte++) {
    bytes[byte] = 0;
    writeFileSync(table, bytes);
  }
  expect(await at((store) => store.keys().all())).toHaveLength(keys.length);
  expect(await at(digest)).not.toBe(whole);
});

async function inStore<T>(folder: string, work: (store: ViewStore) => Promise<T>): Promise<T> {
  const store = await openLevelStore(folder);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Where the filter begins, as the entry of the metaindex says: the offset is the number after the key. */
function filterOf(table: Buffer): number {
  let at = table.lastIndexOf(FILTER, undefined, 'latin1') + FILTER.length;
  let offset = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = table[at++]!;
    offset += (byte & 0x7f) * scale;
    if (byte < 0x80) return offset;
  }
}
