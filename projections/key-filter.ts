// Which keys a generation may hold, kept in memory while it is filled from nothing: most lookups of a fill ask
// for what was never written, and a filter says so without asking LevelDB. A Bloom filter:
// "no" is certain, "perhaps" is looked up. It is never on disk; a generation that was opened again has none.

/** 1 MiB: at a million keys one answer in forty is a needless "perhaps". */
const BITS = 2 ** 23;
const KEYS_MAX = 1_000_000;
const PROBES = 4;

export class KeyFilter {
  readonly #bits = new Uint32Array(BITS / 32);
  #keys = 0;

  /** Beyond a million keys it says "perhaps" too often to be worth asking. */
  get isFull(): boolean {
    return this.#keys >= KEYS_MAX;
  }

  add(key: string): void {
    this.#keys++;
    const first = hashOf(key);
    const step = stepOf(first);
    for (let probe = 0, at = first; probe < PROBES; probe++, at += step)
      this.#bits[(at & (BITS - 1)) >>> 5]! |= 1 << (at & 31);
  }

  mayHold(key: string): boolean {
    const first = hashOf(key);
    const step = stepOf(first);
    for (let probe = 0, at = first; probe < PROBES; probe++, at += step)
      if ((this.#bits[(at & (BITS - 1)) >>> 5]! & (1 << (at & 31))) === 0) return false;
    return true;
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
