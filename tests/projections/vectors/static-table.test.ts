// The check values are those of models/README.md, computed by another program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isStaticTable, openStaticTable, STATIC_TABLE } from '../../../projections/vectors/index.ts';

const bytes = readFileSync(join(import.meta.dirname, '../../../models', STATIC_TABLE.file));
const table = openStaticTable(bytes)!;
const vectorOf = async (text: string) => (await table.embed([text]))[0]!;

const CHECKED: readonly (readonly [string, readonly number[]])[] = [
  ['hello world', [-0.079761, -0.195316, 0.036755, 0.079745, 0.117237, -0.083512, -0.212531, 0.102218]],
  [
    'Fix the race condition in the worker queue when two hooks write at once',
    [-0.28352, 0.164055, -0.273957, -0.273871, 0.157305, -0.125078, -0.042348, 0.101599],
  ],
  [
    'parseJSONFile() throws ENOENT in src/log/openLog.ts:42',
    [-0.278767, 0.10983, 0.026308, 0.137893, -0.142876, -0.017419, -0.201532, -0.114658],
  ],
  [
    'Café menus: naïve résumé, 東京 2024!',
    [-0.188592, -0.173049, 0.082407, -0.021721, 0.205403, -0.031927, -0.131488, -0.06389],
  ],
  [
    'user user user prefers tabs; GitHub and TypeScript',
    [-0.192542, -0.054542, 0.294622, 0.086886, -0.027134, -0.076762, -0.065711, 0.02861],
  ],
];

describe('The table of word vectors', () => {
  it('is the pinned one, byte for byte', () => {
    expect(bytes.length).toBe(STATIC_TABLE.bytes);
    expect(isStaticTable(bytes)).toBe(true);
    const flipped = Buffer.from(bytes);
    flipped[400_000]! ^= 1;
    expect(isStaticTable(flipped)).toBe(false);
  });

  it.each(CHECKED)('makes of “%s” the vector it must', async (text, expected) => {
    const vector = await vectorOf(text);
    expected.forEach((value, column) => {
      expect(Math.abs(vector[column]! - value)).toBeLessThan(2e-6);
    });
    expect(vector.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 5);
  });

  it('places texts of the same meaning nearer than others', async () => {
    const one = await vectorOf('the database connection times out');
    const cosine = (other: Float32Array) => one.reduce((sum, value, index) => sum + value * other[index]!, 0);
    expect(cosine(await vectorOf('SQL server cannot be reached'))).toBeCloseTo(0.2734, 4);
    expect(cosine(await vectorOf('paint the kitchen wall blue'))).toBeCloseTo(-0.0392, 4);
  });

  it.each(['', '!?', '\u0000\ufffd', ' '.repeat(1_000), '\u{1f600}'])(
    'makes of %j the zero vector',
    async (text) => {
      expect((await vectorOf(text)).every((value) => value === 0)).toBe(true);
    },
  );

  it('makes the same pieces of ASCII, whatever other scripts are in the text', async () => {
    const { piecesOf } = await import('../../../projections/vectors/word-pieces.ts');
    const lines = new Map(
      bytes
        .toString('utf8', 64, 300_000)
        .split('\n')
        .map((token, row) => [token, row] as const),
    );
    const known = { rowOf: (piece: string) => lines.get(piece) };
    const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
    // The last word makes the code read the text with the classes of all scripts.
    for (const text of [...ascii, ...ascii.map((one) => `parseJSONFile${one}XMLHttp2_snake case${one}R2D2`)])
      expect(piecesOf(`${text} 東`, known)).toEqual([...piecesOf(text, known), ...piecesOf('東', known)]);
  });

  it('reads only the first 256 pieces of a text', async () => {
    const start = 'import cycle '.repeat(128);
    expect(await vectorOf(`${start} entirely other things`)).toEqual(await vectorOf(start));
    expect(await vectorOf('x'.repeat(100_000))).toHaveLength(STATIC_TABLE.dim);
  });

  it('makes the same vector of a text alone and in a batch', async () => {
    const texts = Array.from(
      { length: 60 },
      (_, n) => `unusual${n} qwzx${n} ${CHECKED[n % 5]![0]} [unused ${n}]`,
    );
    const together = await table.embed(texts);
    for (const [index, text] of texts.entries())
      expect((await openStaticTable(bytes)!.embed([text]))[0]).toEqual(together[index]);
  });

  it('is rejected when it is truncated, of another kind, or empty', () => {
    expect(openStaticTable(bytes.subarray(0, -1))).toBeNull();
    expect(openStaticTable(Buffer.alloc(0))).toBeNull();
    expect(openStaticTable(Buffer.alloc(STATIC_TABLE.bytes))).toBeNull();
  });
});
