// Files for a moment, for libraries that hand themselves over only through a file that they are given by name.
import { readFile, rm, writeFile } from 'node:fs/promises';

/** @param pathOf a path beside which nothing lies, another one each time */
export function scratchFiles(pathOf: () => string) {
  const forMoment = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
    const path = pathOf();
    try {
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  };
  return {
    written: (write: (path: string) => Promise<unknown>): Promise<Buffer> =>
      forMoment(async (path) => {
        await write(path);
        return readFile(path);
      }),
    read: (content: Uint8Array, read: (path: string) => Promise<unknown>): Promise<void> =>
      forMoment(async (path) => {
        await writeFile(path, content);
        await read(path);
      }),
  };
}
