// LevelDB's tables, held against their own checksums: what `verify` stands on where it looks nothing up singly.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crc32c } from '../../log/leveldb-files/crc32c.ts';
import { isTableSound } from '../../log/leveldb-files/table-checksums.ts';
import { levelStore } from '../../log/store.ts';

/** A table ends in two handles, zeros up to 40 bytes, and eight bytes that say that it is one. */
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

test('the checksum is the one that every implementation gives for the digits one to nine', () => {
  expect(crc32c(Buffer.from('x123456789x'), 1, 10)).toBe(0xe3069283);
});

test('and for the 32 bytes of RFC 3720, at any place, with what is left over behind whole steps', () => {
  const ascending = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
  for (let before = 0; before < 20; before++) {
    const from = Buffer.alloc(before, 7);
    const of = (bytes: Buffer) => crc32c(Buffer.concat([from, bytes, from]), before, before + bytes.length);
    expect(of(Buffer.alloc(32))).toBe(0x8a9136aa);
    expect(of(Buffer.alloc(32, 255))).toBe(0x62a8ab43);
    expect(of(ascending)).toBe(0x46dd794e);
    expect(of(Buffer.from(ascending).reverse())).toBe(0x113fdb5c);
    // Nine bytes more than two steps: the digits after them, by the bytewise definition.
    expect(of(Buffer.concat([ascending, Buffer.from('123456789')]))).toBe(
      bytewise(Buffer.concat([ascending, Buffer.from('123456789')])),
    );
  }
});

function bytewise(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

test('a table as LevelDB wrote it is whole', () => {
  expect(isTableSound(table)).toBe(true);
});

test('a wrong bit anywhere before the footer is seen: in data, filter, index and in the checksums themselves', () => {
  const unseen: number[] = [];
  for (let at = 0; at < table.length - FOOTER_BYTES; at++) {
    const damaged = Buffer.from(table);
    damaged[at]! ^= 1 << (at % 8);
    if (isTableSound(damaged)) unseen.push(at);
  }
  expect(unseen).toEqual([]);
});

test('a table that is cut off, anywhere, is not whole', () => {
  for (let length = 0; length < table.length; length += 7)
    expect(isTableSound(table.subarray(0, length)), String(length)).toBe(false);
});
