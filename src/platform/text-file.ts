// The end of a growing text file, and what is added to it. Nothing is polled: the folder is watched. A file that is
// replaced, or shorter than before, is read from its start. A line over 1 MiB is left out.
import { closeSync, fstatSync, mkdirSync, openSync, readSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** 1 MiB: lines further back are not looked for. */
const END_BYTES_MAX = 1024 * 1024;

/** The last complete lines, and where they end. Empty when there is no such file. */
export function lastLines(
  path: string,
  count: number,
): { readonly text: readonly string[]; readonly end: FileEnd } {
  const found = readAfter(path, null);
  if (found === null) return { text: [], end: START };
  return { text: count === 0 ? [] : found.lines.slice(-count), end: found.end };
}

/** How far a file was read. */
export interface FileEnd {
  readonly inode: number;
  readonly bytes: number;
  /** It is within a line that is left out. */
  readonly isCut: boolean;
}

export const START: FileEnd = { inode: 0, bytes: 0, isCut: false };

/** Calls `onLine` for each complete line behind `end`. Returns a function that stops it. */
export function followFile(path: string, end: FileEnd, onLine: (line: string) => void): () => void {
  let at = end;
  const read = (): void => {
    for (;;) {
      const found = readAfter(path, at);
      if (found === null || (found.end.inode === at.inode && found.end.bytes === at.bytes)) return;
      for (const line of found.lines) onLine(line);
      at = found.end;
    }
  };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const watcher = watch(dirname(path), (_, name) => {
    if (name === null || name === basename(path)) read();
  });
  read();
  return () => watcher.close();
}

function readAfter(
  path: string,
  end: FileEnd | null,
): { readonly lines: readonly string[]; readonly end: FileEnd } | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const { size, ino } = fstatSync(file);
    const isSame = end !== null && end.inode === ino && end.bytes <= size;
    const start = isSame ? end.bytes : end === null ? Math.max(0, size - END_BYTES_MAX) : 0;
    const bytes = Buffer.allocUnsafe(Math.min(size - start, END_BYTES_MAX));
    const length = readSync(file, bytes, 0, bytes.length, start);
    const whole = bytes.subarray(0, bytes.subarray(0, length).lastIndexOf(0x0a) + 1);
    const lines = whole.toString('utf8').split('\n').slice(0, -1);
    // The first line may have begun before.
    const isCut = end === null ? start > 0 : isSame && end.isCut;
    const isTooLong = whole.length === 0 && length === END_BYTES_MAX;
    return {
      lines: isCut ? lines.slice(1) : lines,
      end: {
        inode: ino,
        bytes: start + (isTooLong ? length : whole.length),
        isCut: isTooLong || (isCut && whole.length === 0),
      },
    };
  } finally {
    closeSync(file);
  }
}
