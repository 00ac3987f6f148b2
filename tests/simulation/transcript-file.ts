// A transcript as the reader opens it. Read without threads, so that a run repeats itself and costs little, and
// closed with the process that opened it.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

export class OpenTranscripts {
  readonly #open = new Set<number>();

  /** What the reader asks of a FileHandle, and no more. */
  async openFile(path: string): Promise<FileHandle> {
    const fd = openSync(path, 'r');
    this.#open.add(fd);
    const handle = {
      fd,
      stat: async () => fstatSync(fd, { bigint: true }),
      read: async (buffer: Buffer, offset: number, length: number, position: number) => ({
        buffer,
        bytesRead: readSync(fd, buffer, offset, length, position),
      }),
      close: async () => this.#close(fd),
    };
    return handle as unknown as FileHandle;
  }

  /** The process is gone, and what it had open with it. */
  closeAll(): void {
    for (const fd of this.#open) this.#close(fd);
  }

  #close(fd: number): void {
    if (this.#open.delete(fd)) closeSync(fd);
  }
}
