// Reads the records of LevelDB's write-ahead file and MANIFEST, and finds the files in use according to a MANIFEST.
// After a kill there may be others, half written; LevelDB removes them when it opens the folder.
//
//   file   = pieces of 32 KiB, of records; less than 7 bytes at a piece's end are padding
//   record = crc (4) length (2) type (1: whole, 2 first, 3 middle, 4 last) data; crc is of type and data, masked
//   edit   = (tag value)*, all numbers varints: 1 comparator, 2 log, 3 next file, 4 sequence, 5 level key,
//            6 level file (removed), 7 level file size key key (added), 9 log before; texts and keys are length bytes
import { crc32c, masked } from './crc32c.ts';
import { varintAt } from './leveldb-file.ts';

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
