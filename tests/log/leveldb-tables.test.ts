// Checks LevelDB's tables against their checksums. The quick scan of `verify` relies on this.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crc32c } from '../../log/leveldb-files/crc32c.ts';
import { isTableSound } from '../../log/leveldb-files/table-checksums.ts';
import { levelStore } from '../../log/store.ts';

/** A table ends in two handles, padded with zeros to 40 bytes, and an eight-byte magic number. */
const FOOTER_BYTES = 48;
let folder = '';
let table: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'annals-tables-'));
  const store = levelStore(folder);
  await store.open();
  for (let key = 0; key < 120; key++)
    await store.put(Buffer.from(`key ${key}`), Buffer.from(`value ${key} `.repeat(4)));
  await (store as unknown as { compactRange(from: Buffer, to: Buffer): Promise<void> }).compactRange(
    Buffer.from('a'),
    Buffer.from('z'),
  );
  await store.close();
  const [name] = readdirSync(folder).filter((one) => one.endsWith('.ldb'));
  table = readFileSync(join(folder, name!));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('crc32c of the digits one to nine is the standard check value', () => {
  expect(crc32c(Buffer.from('x123456789x'), 1, 10)).toBe(0xe3069283);
});

test('an undamaged table is sound', () => {
  expect(isTableSound(table)).toBe(true);
});

test('a flipped bit anywhere before the footer is noticed: in data, filter, index and checksums', () => {
  const unseen: number[] = [];
  for (let at = 0; at < table.length - FOOTER_BYTES; at++) {
    const damaged = Buffer.from(table);
    damaged[at]! ^= 1 << (at % 8);
    if (isTableSound(damaged)) unseen.push(at);
  }
  expect(unseen).toEqual([]);
});

test('a truncated table is not sound', () => {
  for (let length = 0; length < table.length; length += 7)
    expect(isTableSound(table.subarray(0, length)), String(length)).toBe(false);
});
