// What is wrong with the spool, in sentences for `status`. Nothing is dropped for size or age; it is only reported.
import type { SpoolFile, SpoolFiles, SpoolFolders } from './spool-files.ts';

const SPOOL_BYTES_MAX = 256 * 1024 * 1024;
const FILE_AGE_MAX_MS = 24 * 60 * 60_000;

export interface SpoolHealth {
  /** Files waiting, ours or not. */
  readonly new: number;
  readonly bad: number;
  readonly problems: readonly string[];
}

export async function spoolHealth(
  files: SpoolFiles,
  folders: SpoolFolders,
  now: number,
): Promise<SpoolHealth> {
  const [fresh, bad] = await Promise.all([files.list(folders.new), files.list(folders.bad)]);
  const bytes = [...fresh.files, ...bad.files].reduce((sum, file) => sum + file.bytes, 0);
  const old = fresh.files.filter((file) => now - ms(file) > FILE_AGE_MAX_MS).length;
  const { foreign } = fresh;
  const problems = [fresh, bad].flatMap(({ problem }) => problem ?? []);
  const sentences = [
    ...problems.map((problem) => `The spool: ${problem}.`),
    bytes > SPOOL_BYTES_MAX &&
      `The spool holds ${Math.round(bytes / 2 ** 20)} MiB (${fresh.files.length} files waiting); nothing is dropped.`,
    old > 0 && `${old} files in the spool are older than a day.`,
    foreign > 0 &&
      `${foreign} entries in the spool are links, folders or another user's files; they are left alone.`,
  ];
  return {
    new: fresh.files.length + fresh.foreign,
    bad: bad.files.length + bad.foreign,
    problems: sentences.filter((sentence) => sentence !== false),
  };
}

function ms({ modifiedNs }: SpoolFile): number {
  return Number(modifiedNs / 1_000_000n);
}
