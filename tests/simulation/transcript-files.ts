// The agents' transcripts: in memory, because they are the world's and not ours to break. Read without threads, so
// that a run repeats itself.
import { openSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type Life, never } from './life.ts';
import { scratchFolder } from './scratch.ts';

interface TranscriptFile {
  readonly inode: bigint;
  readonly whole: Buffer;
  /** Bytes that its agent has written so far. */
  length: number;
}

export class TranscriptFiles {
  readonly #files = new Map<string, TranscriptFile>();

  /** The agent has written its file up to a length. */
  grow(path: string, whole: Buffer, length: number): void {
    const file = this.#files.get(path);
    if (file === undefined) this.#files.set(path, { inode: BigInt(this.#files.size + 1), whole, length });
    else file.length = length;
  }

  /** Opens a file as a process does that reads nothing any more when it is gone. */
  async open(path: string, life: Life): Promise<FileHandle> {
    const file = this.#files.get(path);
    if (file === undefined) throw new TypeError(`Nobody wrote ${path}.`);
    /** What the reader asks of a FileHandle, and no more. */
    const handle = {
      get fd() {
        return descriptorOf(file.whole);
      },
      stat: async () => (life.alive ? { ino: file.inode, size: BigInt(file.length) } : never()),
      read: async (buffer: Buffer, offset: number, length: number, position: number) => {
        if (!life.alive) return never();
        const end = Math.min(position + length, file.length);
        return { buffer, bytesRead: end > position ? file.whole.copy(buffer, offset, position, end) : 0 };
      },
      close: async () => {},
    };
    return handle as unknown as FileHandle;
  }
}

/** Lines that it has read the reader reads again by a real descriptor: one for each transcript, for all runs. */
const descriptors = new WeakMap<Buffer, number>();

function descriptorOf(whole: Buffer): number {
  let descriptor = descriptors.get(whole);
  if (descriptor === undefined) {
    const folder = scratchFolder();
    const path = join(folder, 'transcript.jsonl');
    descriptor = openSync(path, 'w+');
    writeSync(descriptor, whole);
    unlinkSync(path);
    rmdirSync(folder);
    descriptors.set(whole, descriptor);
  }
  return descriptor;
}
