// Cuts a stream of bytes into lines at byte 0x0A and nowhere else: U+2028 inside a line is text, and a chunk
// may end inside a character. A line over `lineBytesMax` is not held in memory: only its place and length
// come out. What follows the last newline comes out by `rest`, marked as not ended.

/**
 * 16 MiB. Real lines reach 1.2 MB, a prompt with several pasted images some more; beyond this it is no transcript. Reading a
 * line of this size stays below a second and 200 MB.
 */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

export interface Line {
  /** Byte offset of the line's first byte in its file. */
  readonly offset: number;
  /** Bytes, without the newline. */
  readonly length: number;
  /** null when the line is longer than the limit. */
  readonly bytes: Uint8Array | null;
  /** Whether a newline closed it. */
  readonly ended: boolean;
}

/** A reader's chunk-by-chunk line cutter. Feed chunks in file order, starting at byte `offset`. */
export class LineSplitter {
  #offset: number;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  readonly #lineBytesMax: number;

  constructor(offset: number, lineBytesMax: number = LINE_BYTES_MAX) {
    this.#offset = offset;
    this.#lineBytesMax = lineBytesMax;
  }

  /** The lines that this chunk closes. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10, from); at >= 0; at = chunk.indexOf(10, from)) {
      this.#hold(chunk.subarray(from, at));
      lines.push(this.#take(true));
      from = at + 1;
    }
    if (from < chunk.length) this.#hold(Uint8Array.prototype.slice.call(chunk, from));
    return lines;
  }

  /** What stands behind the last newline, or null when there is nothing. */
  rest(): Line | null {
    return this.#heldBytes === 0 ? null : this.#take(false);
  }

  #hold(piece: Uint8Array): void {
    this.#heldBytes += piece.length;
    if (this.#heldBytes > this.#lineBytesMax) this.#held = [];
    else this.#held.push(piece);
  }

  #take(ended: boolean): Line {
    const length = this.#heldBytes;
    const bytes =
      length > this.#lineBytesMax
        ? null
        : this.#held.length === 1
          ? this.#held[0]!
          : Buffer.concat(this.#held, length);
    const line = { offset: this.#offset, length, bytes, ended };
    this.#offset += length + (ended ? 1 : 0);
    this.#held = [];
    this.#heldBytes = 0;
    return line;
  }
}

/** Cuts a whole buffer at once; `offset` is where it stands in its file. */
export function linesOf(bytes: Uint8Array, offset = 0, lineBytesMax = LINE_BYTES_MAX): Line[] {
  const splitter = new LineSplitter(offset, lineBytesMax);
  const lines = splitter.push(bytes);
  const rest = splitter.rest();
  return rest === null ? lines : [...lines, rest];
}
