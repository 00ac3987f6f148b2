import { describe, expect, it } from 'vitest';
import { dotProducts, plainDotProducts } from '../../../projections/vectors/dot-products.ts';
import { randomNumbers } from '../text/random-documents.ts';

function allProducts(values: Int8Array, dim: number, query: Int16Array): Int32Array {
  const all = new Int32Array(values.length / dim);
  dotProducts(values, dim, query, (products, first) => all.set(products, first));
  return all;
}

describe('Dot products', () => {
  it.each([
    [16, 1],
    [256, 1_023],
    [256, 1_025],
    [256, 3_000],
    [384, 700],
    [300, 50],
  ])('of %i numbers and %i rows are the same sixteen at a time and one by one', (dim, rows) => {
    const random = randomNumbers(dim + rows);
    const values = Int8Array.from({ length: dim * rows }, () => Math.floor(random() * 255) - 127);
    const query = Int16Array.from({ length: dim }, () => Math.floor(random() * 65_535) - 32_767);
    const products = allProducts(values, dim, query);
    expect(products).toEqual(plainDotProducts(values, dim, query));
    expect(products[rows - 1]).toBe(
      query.reduce((sum, value, column) => sum + value * values[(rows - 1) * dim + column]!, 0),
    );
  });

  it('do not overflow for the largest possible numbers', () => {
    const values = new Int8Array(256).fill(-127);
    expect(allProducts(values, 256, new Int16Array(256).fill(32_767))[0]).toBe(-127 * 32_767 * 256);
  });
});
