// The worker's log file: one line per thing that happened, redacted and bounded. It never holds captured text: what is
// written here are our own sentences, and those of errors.
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAnnalsError } from '../../log/index.ts';
import { redactText } from '../capture/redact/index.ts';
import { readEndInPlace } from '../platform/disk-files.ts';

const FILE_BYTES_MAX = 1024 * 1024;
const LINE_CHARS_MAX = 2_000;

export type WorkerLog = (text: string, error?: unknown) => void;

/** Lines go to the file, to `worker.log.1` when it is full, and nowhere when the disk takes nothing. */
export function workerLogAt(path: string, now: () => number): WorkerLog {
  return (text, error) => {
    const why = error === undefined ? '' : `: ${textOf(error)}`;
    const line = redactText(`${text}${why}`)
      .replace(/\s*\n\s*/g, ' | ')
      .slice(0, LINE_CHARS_MAX);
    try {
      // The folder only: a home that was removed stays removed.
      if (!existsSync(dirname(path))) mkdirSync(dirname(path), { mode: 0o700 });
      if (sizeOf(path) > FILE_BYTES_MAX) renameSync(path, `${path}.1`);
      appendFileSync(path, `${new Date(now()).toISOString()} ${line}\n`, { mode: 0o600 });
    } catch {
      // A full or read-only disk. The worker goes on, and `status` reports the disk.
    }
  };
}

/** The messages of our errors quote no captured text. Of other errors only the kind and the place are kept. */
function textOf(error: unknown): string {
  if (isAnnalsError(error)) return `${error.code} ${error.message}`;
  if (!(error instanceof Error)) return 'an error that is not one';
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  const place = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return `${error.name}${code} ${place.slice(0, 4).join('')}`;
}

/** The last lines, oldest first. */
export function lastLines(path: string, most: number): readonly string[] {
  const text = readEndInPlace(path, most * LINE_CHARS_MAX)?.bytes.toString('utf8') ?? '';
  return text.trimEnd().split('\n').slice(-most);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
