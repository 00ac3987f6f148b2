// The cosine of every row with a query, exactly, as fast as memory is read: 25 MB for 100,000 rows. A few
// instructions of WebAssembly multiply 16 values at a time; what they compute are sums of integers, so that plain
// JavaScript, which does the same where WebAssembly has no such instructions, comes to the same bits.
import type { Columns } from './columns.ts';
import { dotProducts } from './dot-products.ts';

/** The query in so many steps: its rounding stays far below that of the rows, and sums below 2³¹ up to 500 columns. */
const STEPS = 32_767;

export function cosines({ dim, scales, values }: Columns, query: Float32Array): Float32Array {
  const largest = query.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const found = new Float32Array(scales.length);
  if (largest === 0) return found;
  const steps = dim <= 500 ? STEPS : Math.floor(STEPS * (500 / dim));
  const whole = Int16Array.from(query, (value) => Math.round((value / largest) * steps));
  const step = largest / steps;
  const products = dotProducts(values, dim, whole);
  for (let row = 0; row < found.length; row += 1) found[row] = scales[row]! * step * products[row]!;
  return found;
}
