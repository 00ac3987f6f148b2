// What `status` reports about the spool.
import { expect, test } from 'vitest';
import { type SpoolFile, type SpoolFiles, spoolFolders } from '../../../src/capture/spool/spool-files.ts';
import { spoolHealth } from '../../../src/capture/spool/spool-health.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;
const folders = spoolFolders('/home/u/.annals');

function file(name: string, bytes: number, at: number): SpoolFile {
  return { name, path: `${folders.new}/${name}`, bytes, modifiedNs: BigInt(at) * 1_000_000n };
}

/** Only lists: checking the spool's health reads and changes no file. */
function listing(files: readonly SpoolFile[], foreign = 0, problem: string | null = null): SpoolFiles {
  const never = () => Promise.reject(new Error('not asked for'));
  return {
    list: async (folder) =>
      folder === folders.new ? { files, foreign, problem } : { files: [], foreign: 0, problem: null },
    read: never,
    write: never,
    remove: never,
  };
}

const sentences = async (files: SpoolFiles) => (await spoolHealth(files, folders, NOW)).problems;

test('a spool of up to 256 MiB with files of today has no problems', async () => {
  expect(await sentences(listing([]))).toEqual([]);
  expect(await sentences(listing([file('a', 256 * 2 ** 20, NOW - 23 * HOUR)]))).toEqual([]);
});

test('a spool that is larger, holds older or foreign files, or cannot be read is reported', async () => {
  expect(await sentences(listing([file('a', 300 * 2 ** 20, NOW)]))).toEqual([
    'The spool holds 300 MiB (1 files waiting); nothing is dropped.',
  ]);
  expect((await sentences(listing([file('a', 5, NOW - 25 * HOUR), file('b', 5, NOW)]))).join()).toMatch(
    /^1 .*older than a day/,
  );
  expect((await sentences(listing([], 3))).join()).toMatch(/^3 .*left alone/);
  expect((await sentences(listing([], 0, 'spool/new cannot be read (EACCES)'))).join()).toContain('EACCES');
});
