// Whether a row is still what it was when a graph was made of it.
import { crc32 } from 'node:zlib';
import { bytesOf } from '../partitions/index.ts';
import type { Columns } from './columns.ts';

export function rowPrint({ dim, scales, values }: Columns, row: number): number {
  const print = crc32(bytesOf(values.subarray(row * dim, (row + 1) * dim)));
  return crc32(bytesOf(scales.subarray(row, row + 1)), print);
}
