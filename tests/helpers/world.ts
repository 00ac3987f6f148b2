// The world that a test passes in: a clock that moves only on request, and a seeded random source.
import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogFiles, LogWorld } from '../../log/index.ts';
import { wholeFiles } from '../../src/platform/disk-files.ts';

export interface TestWorld extends LogWorld {
  /** Unix ms. */
  setTime(ms: number): void;
  advance(ms: number): void;
  /** A whole number from 0 up to, not including, `below`. */
  integer(below: number): number;
}

/** The same seed gives the same bytes, in the same order. */
export function testWorld(seed: string | number = 1, start = Date.UTC(2026, 0, 1)): TestWorld {
  let now = start;
  let block = 0;
  const randomBytes = (size: number): Uint8Array => {
    const parts: Buffer[] = [];
    for (let bytes = 0; bytes < size; bytes += 64)
      parts.push(createHash('sha512').update(`${seed}/${block++}`).digest());
    return new Uint8Array(Buffer.concat(parts).subarray(0, size));
  };
  return {
    now: () => now,
    setTime: (ms) => {
      now = ms;
    },
    advance: (ms) => {
      now += ms;
    },
    randomBytes,
    integer: (below) => Buffer.from(randomBytes(6)).readUIntBE(0, 6) % below,
  };
}

/** Real files, for tests of the head file. */
export const testFiles: LogFiles = {
  async readText(path) {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  },
  async writeAtomically(path, text) {
    const aside = `${path}.new`;
    const file = await open(aside, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(aside, path);
  },
  async folderBytes(path) {
    // LevelDB may remove files meanwhile; those count as 0 bytes.
    const size = (name: string): Promise<number> =>
      stat(join(path, name)).then(
        (found) => found.size,
        () => 0,
      );
    const sizes = await Promise.all((await readdir(path)).map(size));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  },
  wholeFiles,
};

/** A temporary folder for one test; `remove` removes it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'annals-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
