// The agents' transcripts: in memory, because they belong to the world and are not subject to faults. Read without
// threads, so that a run is reproducible.
import { openSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type Life, never } from './life.ts';
import { scratchFolder } from './scratch.ts';

interface TranscriptFile {
  readonly inode: bigint;
  readonly content: Buffer;
  /** Bytes that its agent has written so far. */
  length: number;
}

export class TranscriptFiles {
  readonly #files = new Map<string, TranscriptFile>();

  /** The agent has written its file up to this length. */
  grow(path: string, content: Buffer, length: number): void {
    const file = this.#files.get(path);
    if (file === undefined) this.#files.set(path, { inode: BigInt(this.#files.size + 1), content, length });
    else file.length = length;
  }

  /** Opens a file for a process that reads nothing more after it has died. */
  async open(path: string, life: Life): Promise<FileHandle> {
    const file = this.#files.get(path);
    if (file === undefined) throw new TypeError(`Nobody wrote ${path}.`);
    /** Only the parts of a FileHandle that the reader uses. */
    const handle = {
      get fd() {
        return descriptorOf(file.content);
      },
      stat: async () => (life.alive ? { ino: file.inode, size: BigInt(file.length) } : never()),
      read: async (buffer: Buffer, offset: number, length: number, position: number) => {
        if (!life.alive) return never();
        const end = Math.min(position + length, file.length);
        return { buffer, bytesRead: end > position ? file.content.copy(buffer, offset, position, end) : 0 };
      },
      close: async () => {},
    };
    return handle as unknown as FileHandle;
  }
}

/** The reader reads some lines again through a real file descriptor: one for each transcript, for all runs. */
const descriptors = new WeakMap<Buffer, number>();

function descriptorOf(content: Buffer): number {
  let descriptor = descriptors.get(content);
  if (descriptor === undefined) {
    const folder = scratchFolder();
    const path = join(folder, 'transcript.jsonl');
    descriptor = openSync(path, 'w+');
    writeSync(descriptor, content);
    unlinkSync(path);
    rmdirSync(folder);
    descriptors.set(content, descriptor);
  }
  return descriptor;
}
