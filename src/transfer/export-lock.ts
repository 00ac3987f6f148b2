// A file that says which process exports into a folder. It works on any disk, also one that several machines share. It does
// not end with its process, so it counts only while that process may be alive: one of another machine always may.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { randomBytes } from '../platform/random-bytes.ts';

export interface LockFile {
  /** False after another process took the lock, because it could not know that this one is alive. */
  isOurs(): boolean;
  release(): void;
}

interface Owner {
  readonly host: string;
  readonly process: number;
}

/** Null while another process may hold the lock. @throws what the file system throws */
export function takeLock(path: string): LockFile | null {
  const token = Buffer.from(randomBytes(8)).toString('hex');
  const text = JSON.stringify({ host: hostname(), process: process.pid, token });
  if (!isMade(path, text)) {
    if (!hasEnded(path)) return null;
    rmSync(path, { force: true });
    if (!isMade(path, text)) return null;
  }
  const isOurs = () => textOf(path) === text;
  return {
    isOurs,
    release() {
      if (isOurs()) rmSync(path, { force: true });
    },
  };
}

function isMade(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the process that made the lock is known to have ended. */
function hasEnded(path: string): boolean {
  const owner = ownerOf(textOf(path));
  if (owner === null) return false;
  if (owner.host !== hostname()) return false;
  // A container that is started again has the same host and the same ids.
  if (owner.process === process.pid) return modifiedAt(path) < Date.now() - process.uptime() * 1_000;
  try {
    process.kill(owner.process, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function ownerOf(text: string): Owner | null {
  try {
    const { host, process } = JSON.parse(text) as Partial<Owner>;
    return typeof host === 'string' && Number.isInteger(process) && process! > 0
      ? { host, process: process! }
      : null;
  } catch {
    return null;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
