// A hash tree over a batch, so that one signature of the root covers each message of the batch by itself. The number of
// leaves is rounded up to a power of two; the leaves that are missing are zeros, which are the hash of nothing known.
import { hash } from 'node:crypto';

export const HASH_BYTES = 32;
/** Batches of up to 65,536 messages. */
export const DEPTH_MAX = 16;

const PLACES = 2 ** DEPTH_MAX;
/**
 * A hash, or several in a row, as a string of characters below 256: pieces of it cost nothing, and one message has up to
 * sixteen.
 */
export type Hashes = string;

const MISSING: Hashes = '\0'.repeat(HASH_BYTES);
/** First bytes of what is hashed: they differ, so neither a leaf nor a node can pass for the other. */
export const LEAF = 0;
const NODE = 1;

export interface HashTree {
  readonly root: Hashes;
  /** The hashes beside the way from a leaf to the root, lowest first. */
  pathOf(index: number): Hashes;
}

/** @param leaf begins with the byte `LEAF` */
export function leafHash(leaf: Uint8Array): Hashes {
  if (leaf[0] !== LEAF) throw new TypeError('A leaf must begin with its mark.');
  return hash('sha256', leaf, 'binary');
}

/** Of a tree with so many leaves. */
export function depthFor(leaves: number): number {
  return Math.ceil(Math.log2(leaves));
}

/** @param leaves at least one */
export function hashTree(leaves: readonly Hashes[]): HashTree {
  const levels: (readonly Hashes[])[] = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) {
    const below = level;
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, index) =>
      nodeHash(below[index * 2]!, below[index * 2 + 1] ?? MISSING),
    );
  }
  return {
    root: levels.at(-1)![0]!,
    pathOf: (index) =>
      levels
        .slice(0, -1)
        .map((level, height) => level[(index >> height) ^ 1] ?? MISSING)
        .join(''),
  };
}

/**
 * Nodes below a root that is known to be genuine, by their place. The leaves of one batch share most of their way up. A
 * path is checked to its end all the same, so that a message is refused or not whatever came before it.
 */
export class ProvenNodes {
  readonly #nodes = new Map<number, Hashes>();
  #depth = -1;

  /** Whether a leaf with this place and path is below the root; `isRoot` is asked if no proven node is on the way. */
  proves(leaf: Hashes, index: number, path: Hashes, isRoot: (hash: Hashes) => boolean): boolean {
    const depth = path.length / HASH_BYTES;
    const climbed: Hashes[] = [leaf];
    let node = leaf;
    for (let height = 0; height < depth; height++) {
      if (this.#has(height, index >> height, node)) break;
      const beside = hashAt(path, height);
      node = ((index >> height) & 1) === 0 ? nodeHash(node, beside) : nodeHash(beside, node);
      climbed.push(node);
    }
    const top = climbed.length - 1;
    const isProven = this.#has(top, index >> top, node) && this.#endsAsKnown(top, index, path);
    if (!isProven && !(top === depth && isRoot(node))) return false;
    this.#depth = depth;
    for (const [height, known] of climbed.entries()) {
      this.#nodes.set(height * PLACES + (index >> height), known);
      if (height < top) this.#nodes.set(height * PLACES + ((index >> height) ^ 1), hashAt(path, height));
    }
    return true;
  }

  /** The rest of a path from a proven node upwards. */
  #endsAsKnown(from: number, index: number, path: Hashes): boolean {
    const depth = path.length / HASH_BYTES;
    if (depth !== this.#depth) return false;
    for (let height = from; height < depth; height++)
      if (!this.#has(height, (index >> height) ^ 1, hashAt(path, height))) return false;
    return true;
  }

  #has(height: number, index: number, node: Hashes): boolean {
    return this.#nodes.get(height * PLACES + index) === node;
  }
}

function hashAt(path: Hashes, height: number): Hashes {
  return path.slice(height * HASH_BYTES, (height + 1) * HASH_BYTES);
}

function nodeHash(left: Hashes, right: Hashes): Hashes {
  scratch.write(left, 1, 'latin1');
  scratch.write(right, 1 + HASH_BYTES, 'latin1');
  return hash('sha256', scratch, 'binary');
}

const scratch = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);
