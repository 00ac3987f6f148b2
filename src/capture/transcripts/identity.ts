// Which file a path names: agents move, shrink, rewrite and copy their transcripts. Two looks at a path show
// the same file when the inode is the same, it is not shorter than what was read, and its first bytes are.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const HEAD_BYTES = 4096;

export interface FileIdentity {
  /** Decimal; inodes do not always fit a number. */
  readonly inode: string;
  readonly size: number;
  /** sha-256 (16 hex digits) of the first `length` bytes. */
  readonly head: { readonly length: number; readonly hash: string };
}

/** What stands under an open file now. `headLength`: how many bytes to compare with an older look. */
export async function identify(file: FileHandle, headLength = HEAD_BYTES): Promise<FileIdentity> {
  const stat = await file.stat({ bigint: true });
  const size = Number(stat.size);
  const length = Math.min(headLength, size);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, 0);
  const hash = createHash('sha256').update(bytes.subarray(0, bytesRead)).digest('hex').slice(0, 16);
  return { inode: stat.ino.toString(), size, head: { length: bytesRead, hash } };
}

/** Whether a file goes on from an older look at it, of which `offset` bytes were used. */
export async function goesOn(file: FileHandle, before: FileIdentity, offset: number): Promise<boolean> {
  const now = await identify(file, before.head.length);
  return now.inode === before.inode && now.size >= offset && now.head.hash === before.head.hash;
}
