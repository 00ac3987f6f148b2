// Finds many byte patterns at once (Wu and Manber): the last bytes of a window give the distance to the next position
// where a pattern can end, so most bytes are never read; patterns are compared only where one can match. ASCII letters
// match in any case, because indexes fold case.

const WINDOW_MAX = 12;
/** Shorter patterns would match almost everywhere. */
export const PATTERN_BYTES_MIN = 4;
/** Bytes at the window's end that are looked up. */
const BLOCK = 3;
/** Up to this many patterns the small table stays sparse, and fits into the processor's cache. */
const FEW = 200;

const FOLD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

export class Finder {
  readonly #patterns: readonly Uint8Array[];
  readonly #window: number;
  readonly #mask: number;
  /** How far the window may move when it ends in this block. */
  readonly #shifts: Uint8Array;
  /** Patterns whose window ends in this block. */
  readonly #byBlock = new Map<number, number[]>();

  constructor(patterns: readonly Uint8Array[]) {
    this.#patterns = patterns.map((pattern) => pattern.map((byte) => FOLD[byte]!));
    const window = Math.min(WINDOW_MAX, ...patterns.map(({ length }) => length));
    if (window < PATTERN_BYTES_MIN)
      throw new RangeError(`A pattern has at least ${PATTERN_BYTES_MIN} bytes.`);
    this.#window = window;
    this.#mask = (1 << (patterns.length <= FEW ? 16 : 22)) - 1;
    this.#shifts = new Uint8Array(this.#mask + 1).fill(window - BLOCK + 1);
    for (const [index, pattern] of this.#patterns.entries())
      for (let end = BLOCK; end <= window; end++) {
        const block = this.#block(pattern[end - 3]!, pattern[end - 2]!, pattern[end - 1]!);
        this.#shifts[block] = Math.min(this.#shifts[block]!, window - end);
        if (end < window) continue;
        const same = this.#byBlock.get(block);
        if (same === undefined) this.#byBlock.set(block, [index]);
        else same.push(index);
      }
  }

  /** Whether one of the patterns is in these bytes. */
  isIn(bytes: Uint8Array): boolean {
    let found = false;
    this.find(bytes, () => {
      found = true;
    });
    return found;
  }

  /** Calls back for every match. */
  find(bytes: Uint8Array, onFound: (pattern: number, at: number) => void): void {
    if (this.#patterns.length === 0) return;
    const window = this.#window;
    const shifts = this.#shifts;
    for (let end = window; end <= bytes.length; ) {
      const block = this.#block(FOLD[bytes[end - 3]!]!, FOLD[bytes[end - 2]!]!, FOLD[bytes[end - 1]!]!);
      const shift = shifts[block]!;
      if (shift > 0) {
        end += shift;
        continue;
      }
      this.#compare(bytes, end - window, block, onFound);
      end += 1;
    }
  }

  #block(first: number, second: number, third: number): number {
    return (first + (second << 5) + (third << 11) + (third >> 3) + (second << 14)) & this.#mask;
  }

  #compare(
    bytes: Uint8Array,
    at: number,
    block: number,
    onFound: (pattern: number, at: number) => void,
  ): void {
    for (const index of this.#byBlock.get(block) ?? []) {
      const pattern = this.#patterns[index]!;
      let same = at + pattern.length <= bytes.length;
      for (let offset = 0; same && offset < pattern.length; offset++)
        same = FOLD[bytes[at + offset]!] === pattern[offset];
      if (same) onFound(index, at);
    }
  }
}

/** Of texts as UTF-8; those that are too short are left out. */
export function finderOf(texts: readonly string[]): Finder {
  const patterns = texts.map((text) => Buffer.from(text));
  return new Finder(patterns.filter(({ length }) => length >= PATTERN_BYTES_MIN));
}
