// Recognises a file again: agents move, shrink, rewrite and copy their transcripts. A path still names the same file
// when the inode is the same, the file is not shorter than what was read, and it begins the same, and so does what was read
// last: with the same ids and times, in lines of the same lengths. Nothing derived from written text is kept: with a hash of a text, anyone could
// confirm a guess of it, even after it was forgotten.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const HEAD_BYTES = 64 * 1024;
const END_BYTES = 16 * 1024;

export interface FileIdentity {
  /** Decimal; inodes do not always fit a number. */
  readonly inode: string;
  readonly size: number;
  readonly head: {
    /** Number of bytes examined. */
    readonly length: number;
    /** sha-256 (16 hex digits) of the ids, times and line end offsets in them. */
    readonly marks: string;
  };
}

/** The identity of an open file now. `headLength`: how many bytes to compare with an older identity. */
export async function identify(file: FileHandle, headLength = HEAD_BYTES): Promise<FileIdentity> {
  const stat = await file.stat({ bigint: true });
  const size = Number(stat.size);
  const bytes = await bytesFrom(file, 0, Math.min(headLength, size));
  return { inode: stat.ino.toString(), size, head: { length: bytes.length, marks: hashOfMarks(bytes) } };
}

/** Marks of what was read last, as in `FileIdentity`. The file may have been cut off before `offset` and have grown again. */
export async function marksBefore(file: FileHandle, offset: number): Promise<string> {
  const from = Math.max(0, offset - END_BYTES);
  return hashOfMarks(await bytesFrom(file, from, offset - from));
}

async function bytesFrom(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

function hashOfMarks(bytes: Buffer): string {
  return createHash('sha256').update(marksIn(bytes)).digest('hex').slice(0, 16);
}

/** Whether a file continues the one identified before. `offset`: the bytes of that one that were used. */
export async function isContinuation(
  file: FileHandle,
  before: FileIdentity,
  offset: number,
): Promise<boolean> {
  const now = await identify(file, before.head.length);
  return now.inode === before.inode && now.size >= offset && now.head.marks === before.head.marks;
}

/** Only random ids and times: no text that a person chose matches. */
const MARK =
  /"(?:uuid|sessionId)":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"|"timestamp":"\d{4}-\d\d-\d\dT[\d:.]{8,12}Z"/g;

function marksIn(bytes: Buffer): string {
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) ends.push(at);
  return JSON.stringify([bytes.toString('latin1').match(MARK) ?? [], ends]);
}
