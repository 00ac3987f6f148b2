// A hash tree over a batch, so that one signature of the root covers each message of the batch by itself. The number of
// leaves is rounded up to a power of two; the leaves that are missing are zeros, which are the hash of nothing known.
import { hash } from 'node:crypto';

export const HASH_BYTES = 32;
/** Batches of up to 65,536 messages. */
export const DEPTH_MAX = 16;

const PLACES = 2 ** DEPTH_MAX;
const MISSING = Buffer.alloc(HASH_BYTES);
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export interface HashTree {
  readonly root: Buffer;
  /** The hashes beside the way from a leaf to the root, lowest first. */
  pathOf(index: number): readonly Buffer[];
}

export function leafHash(...parts: readonly Uint8Array[]): Buffer {
  return tagged(LEAF, parts);
}

/** @param leaves at least one */
export function hashTree(leaves: readonly Buffer[]): HashTree {
  const levels: (readonly Buffer[])[] = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) {
    const below = level;
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, index) =>
      nodeHash(below[index * 2]!, below[index * 2 + 1] ?? MISSING),
    );
  }
  return {
    root: levels.at(-1)![0]!,
    pathOf: (index) => levels.slice(0, -1).map((level, height) => level[(index >> height) ^ 1] ?? MISSING),
  };
}

/**
 * Nodes below a root that is known to be genuine, by their place. The leaves of one batch share most of their way up. A
 * path is checked to its end all the same, so that a message is refused or not whatever came before it.
 */
export class ProvenNodes {
  readonly #nodes = new Map<number, string>();
  #depth = -1;

  /** Whether a leaf with this place and path is below the root; `isRoot` is asked if no proven node is on the way. */
  proves(leaf: Buffer, index: number, path: readonly Buffer[], isRoot: (hash: Buffer) => boolean): boolean {
    const climbed: Buffer[] = [leaf];
    let hash = leaf;
    for (const [height, beside] of path.entries()) {
      if (this.#has(height, index >> height, hash)) break;
      hash = ((index >> height) & 1) === 0 ? nodeHash(hash, beside) : nodeHash(beside, hash);
      climbed.push(hash);
    }
    const top = climbed.length - 1;
    const isProven = this.#has(top, index >> top, hash) && this.#endsAsKnown(top, index, path);
    if (!isProven && !(top === path.length && isRoot(hash))) return false;
    this.#depth = path.length;
    for (const [height, node] of climbed.entries()) {
      this.#add(height, index >> height, node);
      if (height < top) this.#add(height, (index >> height) ^ 1, path[height]!);
    }
    return true;
  }

  /** The rest of a path from a proven node upwards. */
  #endsAsKnown(from: number, index: number, path: readonly Buffer[]): boolean {
    return (
      path.length === this.#depth &&
      path.every((beside, height) => height < from || this.#has(height, (index >> height) ^ 1, beside))
    );
  }

  #has(height: number, index: number, hash: Buffer): boolean {
    return this.#nodes.get(height * PLACES + index) === hash.toString('latin1');
  }

  #add(height: number, index: number, hash: Buffer): void {
    this.#nodes.set(height * PLACES + index, hash.toString('latin1'));
  }
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return tagged(NODE, [left, right]);
}

/** Leaves and nodes have different tags, so none can pass for the other. */
function tagged(tag: Buffer, parts: readonly Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat([tag, ...parts]), 'buffer');
}
