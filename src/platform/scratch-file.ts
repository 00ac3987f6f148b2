// Temporary files for libraries that can only save to and load from a named file.
import { readFile, rm, writeFile } from 'node:fs/promises';

/** @param pathOf returns a new unused path on each call */
export function scratchFiles(pathOf: () => string) {
  const withTemporary = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
    const path = pathOf();
    try {
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  };
  return {
    written: (write: (path: string) => Promise<unknown>): Promise<Buffer> =>
      withTemporary(async (path) => {
        await write(path);
        return readFile(path);
      }),
    read: (content: Uint8Array, read: (path: string) => Promise<unknown>): Promise<void> =>
      withTemporary(async (path) => {
        await writeFile(path, content);
        await read(path);
      }),
  };
}
