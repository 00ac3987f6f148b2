// A checksum of a row, to detect whether it changed since a graph was built from it.
import { crc32 } from 'node:zlib';
import { arrayBytes } from '../project-indexes/index.ts';
import type { Columns } from './columns.ts';

export function rowFingerprint({ dim, scales, values }: Columns, row: number): number {
  const print = crc32(arrayBytes(values.subarray(row * dim, (row + 1) * dim)));
  return crc32(arrayBytes(scales.subarray(row, row + 1)), print);
}
