// Assigns each byte of a home to a region, so that damage can be spread over all regions and counted by region.
//
//   table = data block* filter block, metaindex block, index block, footer (48 bytes: two handles, padding, magic)
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

export const REGIONS = [
  'small file',
  'checkpoint',
  'write-ahead file',
  'table data',
  'table index and filter',
  'table footer',
  'MANIFEST',
  'index snapshot',
] as const;
export type Region = (typeof REGIONS)[number];

/** A range of bytes of one file within one region. */
export interface Stretch {
  readonly region: Region;
  /** Whether it belongs to the log or to a view. */
  readonly owner: 'log' | 'views';
  /** Path below the home. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const FOOTER_BYTES = 48;
const METAINDEX_KEY = 'filter.leveldb.BuiltinBloomFilter2';
const CHECKPOINT_KEY = 'm/checkpoint';
/** Bytes of a checkpoint's JSON that are used; every checkpoint is longer. */
const CHECKPOINT_BYTES = 190;

/** Every file of a home that is read; not LevelDB's LOCK and LOG. */
export function filesOf(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^LO(CK|G|G\.old)$/.test(entry.name))
    .map((entry) => relative(home, join(entry.parentPath, entry.name)))
    .sort();
}

export function stretchesOf(home: string): Stretch[] {
  const stretches = filesOf(home).flatMap((name) => {
    const file = readFileSync(join(home, name));
    const owner = name.startsWith('views/') ? ('views' as const) : ('log' as const);
    return regionsOf(name, file).map(([region, from, to]): Stretch => ({ region, owner, name, from, to }));
  });
  return stretches.filter((one) => one.from < one.to && !isOutlived(one, stretches));
}

/** A checkpoint in a table is not read when the write-ahead file next to it has a newer one. */
function isOutlived({ region, name }: Stretch, all: readonly Stretch[]): boolean {
  if (region !== 'checkpoint' || name.endsWith('.log')) return false;
  return all.some(
    (other) =>
      other.region === 'checkpoint' && other.name.endsWith('.log') && dirname(other.name) === dirname(name),
  );
}

function regionsOf(name: string, file: Buffer): [Region, number, number][] {
  if (name.endsWith('.ldb')) return [...tableRegions(file), ...checkpointOf(file)];
  if (name.endsWith('.log')) return [['write-ahead file', 0, file.length], ...checkpointOf(file)];
  if (basename(name).startsWith('MANIFEST')) return [['MANIFEST', 0, file.length]];
  if (name.endsWith('.text') || name.endsWith('.vectors')) return [['index snapshot', 0, file.length]];
  if (/^(?:CURRENT|checked)$/.test(basename(name)) || name === 'head.json')
    return [['small file', 0, file.length]];
  throw new Error(`What ${name} is, is not known: ${dirname(name)} holds something new.`);
}

function tableRegions(file: Buffer): [Region, number, number][] {
  const footer = file.length - FOOTER_BYTES;
  const metaindex = varintAt(file, footer).value;
  const key = file.indexOf(METAINDEX_KEY, metaindex, 'latin1');
  const filter = key === -1 ? metaindex : varintAt(file, key + METAINDEX_KEY.length).value;
  return [
    ['table data', 0, filter],
    ['table index and filter', filter, footer],
    ['table footer', footer, file.length],
  ];
}

/** The newest checkpoint of a view in a file: the last occurrence of its key, and the bytes that follow. */
function checkpointOf(file: Buffer): [Region, number, number][] {
  const at = file.lastIndexOf(CHECKPOINT_KEY, undefined, 'latin1');
  return at === -1
    ? []
    : [['checkpoint', at, Math.min(at + CHECKPOINT_KEY.length + CHECKPOINT_BYTES, file.length)]];
}

function varintAt(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, scale = 1; ; at++, scale *= 128) {
    value += (bytes[at]! & 0x7f) * scale;
    if (bytes[at]! < 0x80) return { value, end: at + 1 };
  }
}
