// A start that fails when the worker listens already: the disk is full when worker.json is written.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { connected, testHome, workerHere } from './homes.ts';

const disk = vi.hoisted(() => ({ isFull: true }));
vi.mock('../../src/worker/worker-files.ts', async (original) => {
  const real = await original<typeof import('../../src/worker/worker-files.ts')>();
  return {
    ...real,
    writeWorkerFile: (...given: Parameters<typeof real.writeWorkerFile>) =>
      disk.isFull
        ? Promise.reject(Object.assign(new Error('No space left on device'), { code: 'ENOSPC' }))
        : real.writeWorkerFile(...given),
  };
});

test.each(['home', 'h'.repeat(120)])(
  'leaves nothing that listens, and the next start works',
  async (name) => {
    const at = testHome(name);
    const signals = process.listenerCount('SIGTERM');
    const temporary = readdirSync(join(at.folder, '..'));
    disk.isFull = true;
    await expect(workerHere(at)).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    expect(existsSync(join(at.home, 'worker.sock'))).toBe(false);
    expect(readdirSync(join(at.folder, '..'))).toEqual(temporary);
    expect(process.listenerCount('SIGTERM')).toBe(signals);
    expect(at.log().at(-1)).toContain('The worker failed: Error ENOSPC');
    disk.isFull = false;
    await workerHere(at);
    expect((await (await connected(at.home)).status()).worker).toEqual({ pid: process.pid });
  },
);
