import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { damagedFile } from '../../src/home/damaged-file.ts';

let folder: string;
const ROWS = 400;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'annals-store-files-'));
  const store = new ClassicLevel<string, string>(folder, { writeBufferSize: 64 * 1024 });
  await store.open();
  for (let row = 0; row < ROWS; row++) await store.put(`r/${row}`, `a row ${row} `.repeat(40));
  await store.compactRange('r/', 's/', { keyEncoding: 'utf8' });
  await store.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function tables(): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.ldb'));
}

/** Flips a bit just before the footer, in the index. */
function damage(name: string): void {
  const file = readFileSync(join(folder, name));
  file[file.length - 60]! ^= 4;
  writeFileSync(join(folder, name), file);
}

test('a table that was found intact is listed in the folder’s file', async () => {
  expect(await damagedFile(folder, false)).toBeNull();
  const known = JSON.parse(readFileSync(join(folder, 'checked'), 'utf8')) as object;
  expect(Object.keys(known).sort()).toEqual(tables());
});

test('a table that is damaged after an intact check is named', async () => {
  expect(await damagedFile(folder, false)).toBeNull();
  const [name] = tables();
  damage(name!);
  expect(await damagedFile(folder, false)).toBe(name);
  expect(await damagedFile(folder, false)).toBe(name);
});

test('resetting the modification time does not hide a changed table', async () => {
  expect(await damagedFile(folder, false)).toBeNull();
  const [name] = tables();
  damage(name!);
  utimesSync(join(folder, name!), new Date(0), new Date(0));
  expect(await damagedFile(folder, false)).toBe(name);
});

test('damage is named whatever the list of checked tables contains', async () => {
  const [name] = tables();
  damage(name!);
  for (const text of ['', '{', 'null', '[]', JSON.stringify({ [name!]: 'whole' })]) {
    writeFileSync(join(folder, 'checked'), text);
    expect(await damagedFile(folder, false)).toBe(name);
  }
});

test('verify reads every block, even of tables in the list', async () => {
  expect(await damagedFile(folder, false)).toBeNull();
  const [name] = tables();
  const file = readFileSync(join(folder, name!));
  file[100]! ^= 4;
  writeFileSync(join(folder, name!), file);
  expect(await damagedFile(folder, true)).toBe(name);
});

test('LevelDB does not remove the list of checked tables', async () => {
  await damagedFile(folder, false);
  const store = new ClassicLevel<string, string>(folder);
  await store.open();
  await store.close();
  expect(readdirSync(folder)).toContain('checked');
  expect(await damagedFile(folder, false)).toBeNull();
});

test('a MANIFEST that was cut short is named, or LevelDB refuses it, or no row is missing', async () => {
  const manifest = readdirSync(folder).find((name) => name.startsWith('MANIFEST'))!;
  const size = statSync(join(folder, manifest)).size;
  const results = new Set<string>();
  for (let length = 0; length <= size; length += 16) {
    const copy = mkdtempSync(join(tmpdir(), 'annals-cut-manifest-'));
    cpSync(folder, copy, { recursive: true });
    truncateSync(join(copy, manifest), length);
    const named = await damagedFile(copy, false);
    const store = new ClassicLevel<string, string>(copy);
    const rows = await store
      .keys()
      .all()
      .then(
        ({ length }) => length,
        () => null,
      );
    await store.close();
    rmSync(copy, { recursive: true });
    if (rows !== null && rows < ROWS)
      expect(named, `${length} of ${size} bytes, ${rows} rows`).toBe(manifest);
    results.add(rows === null ? 'refused' : rows < ROWS ? 'fewer rows' : 'complete');
  }
  expect(results).toContain('fewer rows');
  expect(await damagedFile(folder, false)).toBeNull();
});

test('a table that is gone when it is read is not damaged', async () => {
  const [name] = tables();
  const path = join(folder, name!);
  rmSync(path);
  // It has a size, and cannot be opened: as a table that is removed between the two.
  symlinkSync(join(folder, 'gone'), path);
  expect(await damagedFile(folder, true)).toBeNull();
});
