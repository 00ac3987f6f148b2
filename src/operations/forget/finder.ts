// Finds many byte patterns at once, in time that does not grow with how many there are: a hash rolls over every
// few bytes, and only where it is one of the patterns' the bytes themselves are compared. ASCII letters match
// whatever their case, because indexes fold it.

const WINDOW_MAX = 12;
/** Shorter patterns would be found everywhere. */
export const PATTERN_BYTES_MIN = 4;
const MULTIPLIER = 0x01000193;
const FLAG_BITS = 22;

const FOLD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

export class Finder {
  readonly #patterns: readonly Uint8Array[];
  readonly #window: number;
  /** What the oldest byte of the window adds to the hash. */
  readonly #oldest: number;
  readonly #flags = new Uint8Array(1 << FLAG_BITS);
  readonly #byHash = new Map<number, number[]>();

  constructor(patterns: readonly Uint8Array[]) {
    this.#patterns = patterns.map((pattern) => pattern.map((byte) => FOLD[byte]!));
    this.#window = Math.min(WINDOW_MAX, ...patterns.map(({ length }) => length));
    if (this.#window < PATTERN_BYTES_MIN && patterns.length > 0)
      throw new RangeError(`A pattern has at least ${PATTERN_BYTES_MIN} bytes.`);
    let oldest = 1;
    for (let step = 1; step < this.#window; step++) oldest = Math.imul(oldest, MULTIPLIER);
    this.#oldest = oldest;
    for (const [index, pattern] of this.#patterns.entries()) {
      let hash = 0;
      for (let at = 0; at < this.#window; at++) hash = (Math.imul(hash, MULTIPLIER) + pattern[at]!) | 0;
      this.#flags[hash >>> (32 - FLAG_BITS)] = 1;
      const same = this.#byHash.get(hash);
      if (same === undefined) this.#byHash.set(hash, [index]);
      else same.push(index);
    }
  }

  /** Calls back for every place where a pattern stands. */
  find(bytes: Uint8Array, onFound: (pattern: number, at: number) => void): void {
    const window = this.#window;
    const length = bytes.length;
    if (this.#patterns.length === 0 || length < window) return;
    const oldest = this.#oldest;
    const flags = this.#flags;
    const shift = 32 - FLAG_BITS;
    let hash = 0;
    for (let at = 0; at < window; at++) hash = (Math.imul(hash, MULTIPLIER) + FOLD[bytes[at]!]!) | 0;
    for (let end = window; ; end++) {
      if (flags[hash >>> shift] === 1) this.#compare(bytes, end - window, hash, onFound);
      if (end >= length) return;
      hash = (hash - Math.imul(oldest, FOLD[bytes[end - window]!]!)) | 0;
      hash = (Math.imul(hash, MULTIPLIER) + FOLD[bytes[end]!]!) | 0;
    }
  }

  #compare(
    bytes: Uint8Array,
    at: number,
    hash: number,
    onFound: (pattern: number, at: number) => void,
  ): void {
    for (const index of this.#byHash.get(hash) ?? []) {
      const pattern = this.#patterns[index]!;
      let same = at + pattern.length <= bytes.length;
      for (let offset = 0; same && offset < pattern.length; offset++)
        same = FOLD[bytes[at + offset]!] === pattern[offset];
      if (same) onFound(index, at);
    }
  }
}
