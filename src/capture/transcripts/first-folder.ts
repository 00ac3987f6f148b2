// The folder in which a transcript begins, found before the transcript is read: its first lines may name none (queued
// prompts, snapshots), and nothing of an excluded folder may be kept, including those lines.
import type { FileHandle } from 'node:fs/promises';

/** Lines without a folder come first, and some are long. 256 KiB. */
const HEAD_BYTES = 256 * 1024;
const CWD = /"cwd"\s*:\s*("(?:[^"\\\n]|\\.)*")/;

/**
 * Null when the beginning of the file names none.
 * @param start what was read of it already
 */
export async function firstFolder(file: FileHandle, start = ''): Promise<string | null> {
  const early = CWD.exec(start)?.[1];
  if (early !== undefined) return folderIn(early);
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const found = CWD.exec(buffer.toString('utf8', 0, bytesRead))?.[1];
  return found === undefined ? null : folderIn(found);
}

function folderIn(json: string): string | null {
  try {
    return JSON.parse(json) as string;
  } catch {
    return null;
  }
}
