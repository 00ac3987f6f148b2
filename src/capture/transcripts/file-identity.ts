// Which file a path names: agents move, shrink, rewrite and copy their transcripts. Two looks at a path show the same
// file when the inode is the same, it is not shorter than what was read, and it begins the same: with the same ids and
// times, in lines of the same lengths. Nothing is kept that follows from what anybody wrote there: a hash of a text
// tells everybody who guesses the text that they guessed right, also when it has been forgotten.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const HEAD_BYTES = 64 * 1024;

export interface FileIdentity {
  /** Decimal; inodes do not always fit a number. */
  readonly inode: string;
  readonly size: number;
  readonly head: {
    /** Bytes that were looked at. */
    readonly length: number;
    /** sha-256 (16 hex digits) of ids, times and places of line ends in them. */
    readonly marks: string;
  };
}

/** What stands under an open file now. `headLength`: how many bytes to compare with an older look. */
export async function identify(file: FileHandle, headLength = HEAD_BYTES): Promise<FileIdentity> {
  const stat = await file.stat({ bigint: true });
  const size = Number(stat.size);
  const length = Math.min(headLength, size);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, 0);
  const marks = createHash('sha256')
    .update(marksIn(bytes.subarray(0, bytesRead)))
    .digest('hex')
    .slice(0, 16);
  return { inode: stat.ino.toString(), size, head: { length: bytesRead, marks } };
}

/** Whether a file goes on from an older look at it, of which `offset` bytes were used. */
export async function isContinuation(
  file: FileHandle,
  before: FileIdentity,
  offset: number,
): Promise<boolean> {
  const now = await identify(file, before.head.length);
  return now.inode === before.inode && now.size >= offset && now.head.marks === before.head.marks;
}

/** Random ids and times only: nothing that anybody chose has this form. */
const MARK =
  /"(?:uuid|sessionId)":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"|"timestamp":"\d{4}-\d\d-\d\dT[\d:.]{8,12}Z"/g;

function marksIn(bytes: Buffer): string {
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) ends.push(at);
  return JSON.stringify([bytes.toString('latin1').match(MARK) ?? [], ends]);
}
