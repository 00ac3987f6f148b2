// A hash tree over a batch, so that one signature of the root covers each message of the batch by itself. The number of
// leaves is rounded up to a power of two; the leaves that are missing are zeros, which are the hash of nothing known.
import { createHash } from 'node:crypto';

export const HASH_BYTES = 32;
/** Batches of up to 65,536 messages. */
export const DEPTH_MAX = 16;

const MISSING = Buffer.alloc(HASH_BYTES);

export interface HashTree {
  readonly root: Buffer;
  /** The hashes beside the way from a leaf to the root, lowest first. */
  pathOf(index: number): readonly Buffer[];
}

export function leafHash(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0, parts);
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

/** The root of the tree in which a leaf has this place and path. */
export function rootOf(leaf: Buffer, index: number, path: readonly Uint8Array[]): Buffer {
  return path.reduce<Buffer>(
    (hash, beside, height) =>
      ((index >> height) & 1) === 0 ? nodeHash(hash, beside) : nodeHash(beside, hash),
    leaf,
  );
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return tagged(1, [left, right]);
}

/** Leaves and nodes have different tags, so none can pass for the other. */
function tagged(tag: number, parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(Buffer.of(tag));
  for (const part of parts) hash.update(part);
  return hash.digest();
}
