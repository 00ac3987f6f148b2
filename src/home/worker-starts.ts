// How many starts of the worker failed one after the other, in a file of the home. After five of them nothing but
// `annals worker start` tries again, and `status` says why.
import { join } from 'node:path';
import { writeInFolder } from '../platform/atomic-file.ts';
import { remove } from '../platform/disk-files.ts';
import { readRegularFile } from '../platform/regular-file.ts';

/** Starts that failed one after the other. */
export interface FailedStarts {
  readonly count: number;
  /** ISO 8601; the last of them. */
  readonly at: string;
  readonly reason: string;
}

export const FAILED_STARTS_MAX = 5;
const FILE_BYTES_MAX = 64 * 1024;
const startsPath = (home: string) => join(home, 'worker-starts.json');

export function failedStarts(home: string): FailedStarts | null {
  const { count, at, reason } = startsAt(startsPath(home));
  if (typeof count !== 'number' || count < 1) return null;
  return { count, at: typeof at === 'string' ? at : '', reason: typeof reason === 'string' ? reason : '' };
}

/** Counts a start as failed until it succeeds, so that one whose process dies counts too. */
export async function noteStart(home: string, at: string): Promise<void> {
  const count = (failedStarts(home)?.count ?? 0) + 1;
  await writeStarts(home, { count, at, reason: 'the process ended while it started' });
}

/** Why the start that was noted last failed. */
export async function noteFailure(home: string, reason: string): Promise<void> {
  const starts = failedStarts(home);
  if (starts !== null) await writeStarts(home, { ...starts, reason });
}

async function writeStarts(home: string, starts: FailedStarts): Promise<void> {
  await writeInFolder(startsPath(home), `${JSON.stringify(starts)}\n`);
}

export async function forgetFailedStarts(home: string): Promise<void> {
  await remove(startsPath(home));
}

/** Null when the worker may be started; else why not, as a sentence. */
export function whyNotStarted(home: string): string | null {
  const failed = failedStarts(home);
  if (failed === null || failed.count < FAILED_STARTS_MAX) return null;
  const reason = failed.reason.replace(/\.$/, '');
  return `The worker is not started any more, because its last ${failed.count} starts failed: ${reason}. \`annals worker start\` tries again; hooks are recorded in the spool.`;
}

function startsAt(path: string): Readonly<Record<string, unknown>> {
  const file = readRegularFile(path, { bytesMax: FILE_BYTES_MAX });
  if ('why' in file) return {};
  try {
    const value: unknown = JSON.parse(file.bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
