// Rows that were replaced or removed are in no file after `rewriteTables`, whatever LevelDB had made of its tables before.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClassicLevel } from 'classic-level';
import { Level } from 'level';
import { afterAll, expect, test } from 'vitest';
import { isTable, readTable } from '../../../log/leveldb-files/leveldb-file.ts';
import { memoryStore } from '../../../projections/engine/store/memory-store.ts';
import { rewriteTables } from '../../../projections/engine/store/rewrite-tables.ts';
import { key } from '../../../projections/engine/store/row-keys.ts';
import { END, type ViewStore } from '../../../projections/engine/store/view-store.ts';
import { chance } from '../../helpers/chance.ts';

const folder = mkdtempSync(join(tmpdir(), 'annals-rewrite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Small, so that a few thousand rows fill several levels. */
const WRITE_BUFFER_BYTES = 64 * 1024;
const NAMES = ['plain', 'Zoë', 'C:\\x41', '日本', 'a/b', '\u0000'];

test.each([1, 2, 3, 4, 5, 6])('no file holds an old row, all rows stay (seed %i)', async (seed) => {
  const { below } = chance(seed);
  const location = join(folder, String(seed));
  const store = await opened(location);
  const rows = new Map<string, string>();
  for (let run = 0; run < 12; run++) {
    // Runs of neighbouring keys, some far from all others, become tables that no other one overlaps.
    const from = below(100) * 1_000;
    for (let step = 0; step < 400; step++) {
      const name = `r/view/${key(String(from + below(300)).padStart(6, '0'), NAMES[step % NAMES.length]!)}`;
      if (below(5) === 0) {
        rows.delete(name);
        await store.del(name);
      } else {
        const value = `=${run}.${step}.`.padEnd(300, String(below(1e9)));
        rows.set(name, value);
        await store.put(name, value);
      }
    }
  }
  await rewriteTables(store);
  const found = await store.iterator({ lt: END }).all();
  await store.close();
  expect(new Map(found)).toEqual(rows);
  expect(valuesIn(location).sort()).toEqual([...rows.values()].map(nameOf).sort());
});

test.each(NAMES)('an old row leaves a table that no other one overlaps (%j)', async (part) => {
  const location = join(folder, `alone-${NAMES.indexOf(part)}`);
  const store = await opened(location);
  const name = `r/view/${key(part)}`;
  await store.put(name, '=1.1.'.padEnd(300, '1'));
  await store.put(name, '=1.2.'.padEnd(300, '1'));
  // Makes a table of both, which a compaction of everything leaves as it is.
  const level = store as unknown as ClassicLevel;
  await level.compactRange('', 'a');
  await level.compactRange('a', 'z');
  await level.close();
  expect(valuesIn(location).sort()).toEqual(['1.1', '1.2']);
  await level.open();
  await rewriteTables(store);
  await level.close();
  expect(valuesIn(location)).toEqual(['1.2']);
});

test('a store in memory has no tables', async () => {
  const store = memoryStore();
  await store.put('r/view/row', 'value');
  await rewriteTables(store);
  expect(await store.get('r/view/row')).toBe('value');
});

async function opened(location: string): Promise<ViewStore> {
  const store = new Level<string, string>(location, {
    ...{ writeBufferSize: WRITE_BUFFER_BYTES, maxFileSize: WRITE_BUFFER_BYTES },
  } as object);
  await store.open();
  return store as unknown as ViewStore;
}

/** `3.17` of `=3.17.000…` */
function nameOf(value: string): string {
  return /^=(\d+\.\d+)/.exec(value)![1]!;
}

/** The names of all values that the files of a closed store hold, each as often as they hold it. */
function valuesIn(location: string): string[] {
  return readdirSync(location).flatMap((name) => {
    const parts: string[] = [];
    const content = readFileSync(join(location, name));
    const isRead = !isTable(name) || readTable(content, (part) => parts.push(part.toString('latin1')));
    expect(isRead, name).toBe(true);
    const text = isTable(name) ? parts.join('\n') : content.toString('latin1');
    return Array.from(text.matchAll(/=(\d+\.\d+)\.\d{200,}/g), ([, found]) => found!);
  });
}
