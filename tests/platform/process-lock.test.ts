// A lock between processes: one has it at a time, and what an ended process leaves of it is void.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeLock } from '../../src/platform/process-lock.ts';
import { testFolder } from '../helpers/views.ts';

/** A lock that a process with this id made. */
function writeLock(path: string, process: number, host = hostname()): string {
  mkdirSync(path);
  const file = join(path, '0123456789ab');
  writeFileSync(file, JSON.stringify({ host, process }));
  return file;
}

const endedProcess = () => spawnSync(process.execPath, ['--version']).pid;

test('a lock is taken once, and leaves nothing when it is released', async () => {
  const folder = await testFolder();
  const lock = takeLock(join(folder, 'lock'));
  expect(takeLock(join(folder, 'lock'))).toBeNull();
  expect(lock?.isOurs()).toBe(true);
  lock?.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('of two processes that find a void lock one takes it', async () => {
  const path = join(await testFolder(), 'lock');
  writeLock(path, endedProcess());
  const kill = vi.spyOn(process, 'kill');
  onTestFinished(() => kill.mockRestore());
  let first: ReturnType<typeof takeLock> = null;
  // The other one is faster: it takes the lock after this one has found it void.
  kill.mockImplementationOnce(() => {
    first = takeLock(path);
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
  });
  expect(takeLock(path)).toBeNull();
  expect(first!.isOurs()).toBe(true);
});

test('what a kill leaves while the lock is released does not hold it', async () => {
  const path = join(await testFolder(), 'lock');
  mkdirSync(path);
  expect(takeLock(path)).not.toBeNull();
});

test.each([
  ['whose process id another process has now', process.ppid, hostname()],
  ['of another machine', 1, 'elsewhere.example'],
])('a lock %s is void when it is too old', async (_, id, host) => {
  const path = join(await testFolder(), 'lock');
  const file = writeLock(path, id, host);
  expect(takeLock(path, 60_000)).toBeNull();
  utimesSync(file, new Date(0), new Date(0));
  expect(takeLock(path)).toBeNull();
  expect(takeLock(path, 60_000)?.isOurs()).toBe(true);
});
