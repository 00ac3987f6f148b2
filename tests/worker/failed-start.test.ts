// A start that fails when the worker listens already: the disk is full when worker.json is written.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import * as workerFiles from '../../src/worker/worker-files.ts';
import { connected, testHome, workerHere } from './homes.ts';

afterEach(() => vi.unstubAllEnvs());

test.each(['home', 'h'.repeat(120)])(
  'leaves nothing that listens, and the next start works',
  async (name) => {
    const at = testHome(name);
    const signals = process.listenerCount('SIGTERM');
    // Its own: other programs use the common one.
    const temporary = join(at.folder, 't');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const disk = vi.spyOn(workerFiles, 'writeWorkerFile');
    onTestFinished(() => disk.mockRestore());
    disk.mockRejectedValue(Object.assign(new Error('No space left on device'), { code: 'ENOSPC' }));
    await expect(workerHere(at)).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    expect(existsSync(join(at.home, 'worker.sock'))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
    expect(process.listenerCount('SIGTERM')).toBe(signals);
    expect(at.log().at(-1)).toContain('The worker failed: Error ENOSPC');
    disk.mockRestore();
    await workerHere(at);
    expect((await (await connected(at.home)).status()).worker).toEqual({ pid: process.pid });
  },
);
