// Computes the exact cosine of every row with a query at the speed of reading memory: 25 MB for 100,000 rows.
// WebAssembly multiplies 16 values at a time. All sums are integers, so the plain JavaScript fallback gives the same bits.
import type { Columns } from './columns.ts';
import { dotProducts, plainDotProducts } from './dot-products.ts';

/** Quantization steps of the query: finer than the rows' rounding, with sums below 2³¹ up to COLUMNS_MAX columns. */
const STEPS = 32_767;
const COLUMNS_MAX = 500;

/** Calls `take` for each row whose cosine is at least what `least` returns, which is called again after each `take`. */
export function eachCosine(
  { dim, scales, values }: Columns,
  { quantized, step }: Steps,
  least: () => number,
  take: (row: number, cosine: number) => void,
): void {
  dotProducts(values, dim, quantized, (products, first) => {
    let needed = least();
    for (let at = 0; at < products.length; at += 1) {
      const found = Math.fround(scales[first + at]! * step * products[at]!);
      if (found < needed) continue;
      take(first + at, found);
      needed = least();
    }
  });
}

/** The cosine of one row; the same number as from `eachCosine`. */
export function cosine({ dim, scales, values }: Columns, row: number, { quantized, step }: Steps): number {
  const [product] = plainDotProducts(values.subarray(row * dim, (row + 1) * dim), dim, quantized);
  return Math.fround(scales[row]! * step * product!);
}

export interface Steps {
  readonly quantized: Int16Array;
  readonly step: number;
}

/** Quantizes a query to int16. `step` is the value of one unit. Do this once for all projects. */
export function quantize(query: Float32Array): Steps {
  let largest = 0;
  for (const value of query) largest = Math.max(largest, Math.abs(value));
  const steps = query.length <= COLUMNS_MAX ? STEPS : Math.floor((STEPS * COLUMNS_MAX) / query.length);
  const factor = largest === 0 ? 0 : steps / largest;
  const quantized = new Int16Array(query.length);
  for (let column = 0; column < quantized.length; column += 1)
    quantized[column] = Math.round(query[column]! * factor);
  return { quantized, step: largest / steps };
}
