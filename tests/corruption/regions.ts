// Which part of a home a byte lies in, so that damage can be spread over all of them and counted apart.
//
//   table = data block* filter block, metaindex block, index block, footer (48 bytes: two handles, padding, magic)
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

export const REGIONS = [
  'small file',
  'anchor',
  'write-ahead file',
  'table data',
  'table index and filter',
  'table footer',
  'MANIFEST',
  'index snapshot',
] as const;
export type Region = (typeof REGIONS)[number];

/** A run of bytes of one file that lie in one region. */
export interface Stretch {
  readonly region: Region;
  /** Of the log, or of a view. */
  readonly owner: 'log' | 'views';
  /** Below the home. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const FOOTER_BYTES = 48;
const METAINDEX_KEY = 'filter.leveldb.BuiltinBloomFilter2';
const CHECKPOINT_KEY = 'm/checkpoint';
/** Of an anchor as JSON; each of them is longer. */
const CHECKPOINT_BYTES = 190;

/** Every file of a home that is read; LOCK and LOG of LevelDB are not. */
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

/** An anchor in a table is read by nobody where the write-ahead file beside it holds a newer one. */
function isOutlived({ region, name }: Stretch, all: readonly Stretch[]): boolean {
  if (region !== 'anchor' || name.endsWith('.log')) return false;
  return all.some(
    (other) =>
      other.region === 'anchor' && other.name.endsWith('.log') && dirname(other.name) === dirname(name),
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

/** The newest anchor of a view in a file: where its key stands last, and what follows. */
function checkpointOf(file: Buffer): [Region, number, number][] {
  const at = file.lastIndexOf(CHECKPOINT_KEY, undefined, 'latin1');
  return at === -1
    ? []
    : [['anchor', at, Math.min(at + CHECKPOINT_KEY.length + CHECKPOINT_BYTES, file.length)]];
}

function varintAt(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, scale = 1; ; at++, scale *= 128) {
    value += (bytes[at]! & 0x7f) * scale;
    if (bytes[at]! < 0x80) return { value, end: at + 1 };
  }
}
