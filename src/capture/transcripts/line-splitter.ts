// Splits a stream of bytes into lines only at byte 0x0A: U+2028 inside a line is text, and a chunk may end inside a
// character. A line over `lineBytesMax` is not kept in memory: only its location and length are returned. `rest`
// returns what follows the last newline, marked as not ended.

/**
 * 16 MiB. Real lines reach 1.2 MB, a prompt with several pasted images a little more; a longer line is not from a
 * transcript. Reading a line of this size takes less than a second and 200 MB.
 */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

export interface Line {
  /** Byte offset of the line's first byte in its file. */
  readonly offset: number;
  /** Bytes, without the newline. */
  readonly length: number;
  /** Null when the line is longer than the limit. */
  readonly bytes: Uint8Array | null;
  /** Whether a newline closed it. */
  readonly ended: boolean;
}

/** Splits a file chunk by chunk. Push chunks in file order, starting at byte `offset`. */
export class LineSplitter {
  #offset: number;
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  readonly #lineBytesMax: number;

  constructor(offset: number, lineBytesMax: number = LINE_BYTES_MAX) {
    this.#offset = offset;
    this.#lineBytesMax = lineBytesMax;
  }

  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10, from); at >= 0; at = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, at));
      lines.push(this.#take(true));
      from = at + 1;
    }
    if (from < chunk.length) this.#add(Uint8Array.prototype.slice.call(chunk, from));
    return lines;
  }

  /** What follows the last newline, or null when there is nothing. */
  rest(): Line | null {
    return this.#partBytes === 0 ? null : this.#take(false);
  }

  #add(piece: Uint8Array): void {
    this.#partBytes += piece.length;
    if (this.#partBytes > this.#lineBytesMax) this.#parts = [];
    else this.#parts.push(piece);
  }

  #take(ended: boolean): Line {
    const length = this.#partBytes;
    const bytes =
      length > this.#lineBytesMax
        ? null
        : this.#parts.length === 1
          ? this.#parts[0]!
          : Buffer.concat(this.#parts, length);
    const line = { offset: this.#offset, length, bytes, ended };
    this.#offset += length + (ended ? 1 : 0);
    this.#parts = [];
    this.#partBytes = 0;
    return line;
  }
}

/** Splits a whole buffer at once; `offset` is its position in the file. */
export function linesOf(bytes: Uint8Array, offset = 0, lineBytesMax = LINE_BYTES_MAX): Line[] {
  const splitter = new LineSplitter(offset, lineBytesMax);
  const lines = splitter.push(bytes);
  const rest = splitter.rest();
  return rest === null ? lines : [...lines, rest];
}
