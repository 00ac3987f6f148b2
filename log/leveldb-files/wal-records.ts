// Reads the records of LevelDB's write-ahead file and MANIFEST, and finds the files in use according to a MANIFEST.
// After a kill there may be others, half written; LevelDB removes them when it opens the folder.
//
//   file   = pieces of 32 KiB, of records; less than 7 bytes at a piece's end are padding
//   record = crc (4) length (2) type (1: whole, 2 first, 3 middle, 4 last) data; crc is of type and data, masked
//   edit   = (tag value)*, all numbers varints: 1 comparator, 2 log, 3 next file, 4 sequence, 5 level key,
//            6 level file (removed), 7 level file size key key (added), 9 log before; texts and keys are length bytes
import { crc32c, masked } from './crc32c.ts';
import { isTable, varintAt } from './leveldb-file.ts';

const PIECE_BYTES = 32 * 1024;
const HEADER_BYTES = 7;
const WHOLE = 1;
const FIRST = 2;
const MIDDLE = 3;
const LAST = 4;

export interface Record {
  readonly type: number;
  readonly data: Buffer;
}

export interface FilesInUse {
  readonly tables: ReadonlySet<number>;
  /** Write-ahead files of this number and above are read. */
  readonly logsFrom: number;
}

/**
 * Records in order. A damaged record makes the rest of its piece unreadable, as in LevelDB; a record cut off by the
 * end of the file is not returned. A file system leaves zeros for pages that never reached the disk.
 */
export function* recordsOf(file: Buffer): Generator<Record | 'wrong'> {
  for (let piece = 0; piece < file.length; piece += PIECE_BYTES) {
    const end = Math.min(piece + PIECE_BYTES, file.length);
    for (let at = piece; at + HEADER_BYTES <= end; ) {
      const next = at + HEADER_BYTES + file.readUInt16LE(at + 4);
      if (next > file.length && end === file.length) return;
      if (next > end || file.readUInt32LE(at) !== masked(crc32c(file, at + 6, next))) {
        yield 'wrong';
        break;
      }
      yield { type: file[at + 6]!, data: file.subarray(at + HEADER_BYTES, next) };
      at = next;
    }
  }
}

/** null when the MANIFEST is damaged. */
export function filesInUse(manifest: Buffer): FilesInUse | null {
  const tables = new Set<number>();
  const logs = new Map<number, number>();
  let parts: Buffer[] = [];
  for (const record of recordsOf(manifest)) {
    if (record === 'wrong') return null;
    if (record.type === WHOLE || record.type === FIRST) parts = [];
    parts.push(record.data);
    if (record.type === FIRST || record.type === MIDDLE) continue;
    if (record.type > LAST || !applyEdit(Buffer.concat(parts), tables, logs)) return null;
  }
  // The previous log is still read when its contents are not in a table yet; 0 means there is none.
  const before = logs.get(LOG_BEFORE) ?? 0;
  return { tables, logsFrom: before === 0 ? (logs.get(LOG) ?? 0) : before };
}

const COMPARATOR = 1;
const LOG = 2;
const POINTER = 5;
const REMOVED = 6;
const ADDED = 7;
const LOG_BEFORE = 9;

/** Returns false when the bytes are not a valid edit. */
function applyEdit(edit: Buffer, tables: Set<number>, logs: Map<number, number>): boolean {
  let at = 0;
  const number = (): number => {
    const found = varintAt(edit, at);
    at = found?.end ?? Number.POSITIVE_INFINITY;
    return found?.value ?? Number.NaN;
  };
  const text = (): void => {
    const length = number();
    at += length;
  };
  while (at < edit.length) {
    const tag = number();
    if (tag === COMPARATOR) text();
    else if (tag === POINTER) {
      number();
      text();
    } else if (tag === REMOVED) {
      number();
      tables.delete(number());
    } else if (tag === ADDED) {
      number();
      tables.add(number());
      number();
      text();
      text();
    } else if (tag === LOG || tag === LOG_BEFORE) logs.set(tag, number());
    else if (tag === 3 || tag === 4) number();
    else return false;
  }
  return at === edit.length;
}

/**
 * Whether a MANIFEST lost its end. LevelDB removes a write-ahead file in use only after an edit that names the table with
 * its content, so the file is gone and there is a newer table that no edit names.
 */
function isCut(manifest: Buffer, names: readonly string[]): boolean {
  const used = filesInUse(manifest);
  if (used === null || used.logsFrom === 0 || names.includes(walName(used.logsFrom))) return false;
  return names.filter(isTable).some((name) => {
    const number = Number.parseInt(name, 10);
    return number > used.logsFrom && !used.tables.has(number);
  });
}

export function walName(number: number): string {
  return `${String(number).padStart(6, '0')}.log`;
}

/** Reads files of a folder, one after the other. `wanted` is called with the name of each file first. */
type ReadFiles = (
  folder: string,
  wanted: (name: string) => boolean,
) => AsyncIterable<{ readonly name: string; readonly content: Buffer }>;

/**
 * The name of a MANIFEST that lost its end, or null. LevelDB would open such a folder, and remove every table that only
 * the lost edits name. Another process may have the folder open, so the MANIFEST must be the same before and after the
 * second look at the names.
 */
export async function cutManifest(folder: string, read: ReadFiles): Promise<string | null> {
  const first = await readManifest(folder, read);
  if (first === null || !isCut(first.content, first.names)) return null;
  const second = await readManifest(folder, read);
  if (second?.name !== first.name || !second.content.equals(first.content)) return null;
  return isCut(second.content, second.names) ? second.name : null;
}

async function readManifest(folder: string, read: ReadFiles) {
  const names: string[] = [];
  const contents = new Map<string, Buffer>();
  const files = read(folder, (name) => {
    names.push(name);
    return name === 'CURRENT' || name.startsWith('MANIFEST-');
  });
  for await (const { name, content } of files) contents.set(name, content);
  const name = contents.get('CURRENT')?.toString('utf8').trim();
  const content = name === undefined ? undefined : contents.get(name);
  return name === undefined || content === undefined ? null : { name, content, names };
}
