// Reads an open file from a byte on, one page of whole lines at a time, so that memory stays bounded for a file of any
// size: the next page is read only when the caller asks for it. The text after the last newline comes in the last page,
// marked as not ended.
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type Line, LineSplitter } from './line-splitter.ts';

const CHUNK_BYTES = 256 * 1024;
const PAGE_BYTES = 1024 * 1024;

export interface LinePage {
  readonly lines: readonly Line[];
  /** Bytes of the file read so far, from its start. */
  readonly readTo: number;
}

/**
 * Pages of lines from byte `from` up to byte `to` (the size when reading began; later bytes are left for the next
 * read).
 */
export async function* linePages(file: FileHandle, from: number, to: number): AsyncGenerator<LinePage> {
  const splitter = new LineSplitter(from);
  let at = from;
  let lines: Line[] = [];
  let bytes = 0;
  while (at < to) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - at));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    for (const line of splitter.push(chunk.subarray(0, bytesRead))) {
      lines.push(line);
      bytes += line.bytes?.length ?? 0;
    }
    if (bytes >= PAGE_BYTES) {
      yield { lines, readTo: at };
      lines = [];
      bytes = 0;
    }
  }
  const rest = splitter.rest();
  if (rest !== null) lines.push(rest);
  yield { lines, readTo: at };
}

/** Reads one line again; null when the file no longer has it. */
export function lineIn(file: FileHandle): (offset: number, length: number) => Uint8Array | null {
  return (offset, length) => {
    const bytes = Buffer.allocUnsafe(length);
    return readSync(file.fd, bytes, 0, length, offset) === length ? bytes : null;
  };
}
