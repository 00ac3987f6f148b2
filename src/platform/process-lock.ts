// A folder that says which process writes beside it. It works on any disk, also one that several machines share. It does not
// end with its process, so it counts only while that process may be alive: one of another machine always may. It holds one
// file, with a name that no other lock has: who removes a void lock cannot remove the one that followed.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode } from './disk-files.ts';
import { randomBytes } from './random-bytes.ts';

export interface ProcessLock {
  /** False after another process took the lock, because it could not know that this one is alive. */
  isOurs(): boolean;
  release(): void;
}

interface Owner {
  readonly host: string;
  readonly process: number;
}

/** Of a rename to a folder that is not empty (on Windows, to any folder), or when somebody removed what is renamed. */
const TAKEN: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES', 'ENOENT']);

/**
 * Null while another process may hold the lock. One that is older than `maxAgeMs` is void: its process ended, and another
 * one has its id now, or it is of another machine.
 * @throws what the file system throws
 */
export function takeLock(path: string, maxAgeMs = Number.POSITIVE_INFINITY): ProcessLock | null {
  for (const name of namesIn(path)) {
    const file = join(path, name);
    if (!isVoid(file, maxAgeMs)) return null;
    rmSync(file, { force: true });
  }
  removeIfEmpty(path);
  const token = Buffer.from(randomBytes(6)).toString('hex');
  if (!isPut(path, token)) return null;
  const file = join(path, token);
  return {
    isOurs: () => existsSync(file),
    release() {
      rmSync(file, { force: true });
      removeIfEmpty(path);
    },
  };
}

/** Puts a folder with our file at the path, unless one that is not empty is there. */
function isPut(path: string, token: string): boolean {
  const made = `${path}.${token}.tmp`;
  try {
    mkdirSync(made, { mode: 0o700 });
    const text = JSON.stringify({ host: hostname(), process: process.pid });
    writeFileSync(join(made, token), text, { mode: 0o600 });
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  try {
    renameSync(made, path);
    return true;
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (TAKEN.has(errorCode(error))) return false;
    throw error;
  }
}

function isVoid(file: string, maxAgeMs: number): boolean {
  const owner = ownerIn(file);
  const madeAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // Also a clock that was set back makes the difference.
  if (Math.abs(Date.now() - madeAt) > maxAgeMs) return true;
  if (owner?.host !== hostname()) return false;
  // A container that is started again has the same host and the same ids.
  if (owner.process === process.pid) return madeAt < Date.now() - process.uptime() * 1_000;
  return !isAlive(owner.process);
}

function ownerIn(file: string): Owner | null {
  try {
    const { host, process } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Owner>;
    return typeof host === 'string' && Number.isInteger(process) && process! > 0
      ? { host, process: process! }
      : null;
  } catch {
    return null;
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // The rename finds what stays.
  }
}
