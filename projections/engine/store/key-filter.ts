// Which keys a generation may hold, kept in memory while it is filled from nothing: most lookups of a fill ask
// for what was never written, and a filter says so without asking LevelDB. A Bloom filter:
// "no" is certain, "perhaps" is looked up. It is never on disk; a generation that was opened again has none.

/** Up to so many keys are held as they are: most logs are young, and clearing a megabyte for them costs a millisecond. */
const FEW_KEYS_MAX = 1_000;
/** 1 MiB: at a million keys one answer in forty is a needless "perhaps". */
const BITS = 2 ** 23;
const KEYS_MAX = 1_000_000;
const PROBES = 4;

export class KeyFilter {
  /** null once there are too many. */
  #few: Set<string> | null = new Set();
  #bits = new Uint32Array(0);
  #keys = 0;

  /** Beyond a million keys it says "perhaps" too often to be worth asking. */
  get isFull(): boolean {
    return this.#keys >= KEYS_MAX;
  }

  add(key: string): void {
    this.#keys++;
    if (this.#few === null) this.#mark(key);
    else if (this.#few.add(key).size > FEW_KEYS_MAX) {
      this.#bits = new Uint32Array(BITS / 32);
      for (const one of this.#few) this.#mark(one);
      this.#few = null;
    }
  }

  mayHold(key: string): boolean {
    if (this.#few !== null) return this.#few.has(key);
    const first = hashOf(key);
    const step = stepOf(first);
    for (let probe = 0, at = first; probe < PROBES; probe++, at += step)
      if ((this.#bits[(at & (BITS - 1)) >>> 5]! & (1 << (at & 31))) === 0) return false;
    return true;
  }

  #mark(key: string): void {
    const first = hashOf(key);
    const step = stepOf(first);
    for (let probe = 0, at = first; probe < PROBES; probe++, at += step)
      this.#bits[(at & (BITS - 1)) >>> 5]! |= 1 << (at & 31);
  }
}

/** FNV-1a over UTF-16 units, then mixed: keys differ mostly in their last characters. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

function stepOf(hash: number): number {
  return Math.imul(hash, 0xc2b2ae35) | 1;
}
