import { describe, expect, it } from 'vitest';
import { dotProducts, inPlace, PROGRAM } from '../../../projections/vectors/dot-products.ts';
import { randomNumbers } from '../text-index/random-documents.ts';

describe('Dot products', () => {
  it.each([
    [16, 1],
    [256, 1_023],
    [256, 1_025],
    [256, 3_000],
    [384, 700],
    [300, 50],
    [1_536, 200],
    [3_072, 20],
  ])('of %i numbers and %i rows have the same bits eight at a time and one by one', (dim, rows) => {
    const random = randomNumbers(dim + rows);
    const values = Int8Array.from({ length: dim * rows }, () => Math.floor(random() * 255) - 127);
    const query = Float32Array.from({ length: dim }, () => (random() - 0.5) / 8);
    const products = dotProducts(values, dim, query);
    expect(Buffer.from(products.buffer).equals(Buffer.from(inPlace(values, dim, query).buffer))).toBe(true);
    const last = query.reduce((sum, value, column) => sum + value * values[(rows - 1) * dim + column]!, 0);
    expect(products[rows - 1]).toBeCloseTo(last, 9);
  });

  it('are made by a program that this processor takes', () => {
    const assembly = Reflect.get(globalThis, 'WebAssembly') as { validate(bytes: Uint8Array): boolean };
    expect(assembly.validate(Uint8Array.from(PROGRAM))).toBe(true);
  });
});
