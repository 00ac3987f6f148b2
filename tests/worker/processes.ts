// Processes of workers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the worker that wrote worker.json last. */
export function pidOf(home: string): number {
  return JSON.parse(readFileSync(join(home, 'worker.json'), 'utf8')).pid;
}

/** A process that ended and was not waited for still has its number. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
