// What else may be in place of a file. A test that would wait for ever on a FIFO, or fill the memory from a device,
// succeeds by ending.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  openRegularFile,
  readHeadInPlace,
  readRegularChunks,
  readRegularFile,
} from '../../src/platform/regular-file.ts';
import { testFolder } from '../helpers/views.ts';

const UNIX = process.platform !== 'win32';

describe('A regular file', () => {
  it('is read completely up to the limit, and refused above it without being read', async () => {
    const path = join(await testFolder(), 'file');
    writeFileSync(path, '0123456789');
    expect(readRegularFile(path, { bytesMax: 10 })).toEqual({ bytes: Buffer.from('0123456789') });
    expect(readRegularFile(path, { bytesMax: 9 })).toEqual({ code: 'EFBIG', why: 'has more than 9 bytes' });
    expect(String(readHeadInPlace(path, 4))).toBe('0123');
    const parts: Buffer[] = [];
    for await (const part of readRegularChunks(path)) parts.push(part);
    expect(String(Buffer.concat(parts))).toBe('0123456789');
  });

  it('that reports a terabyte takes no more memory than the limit', async () => {
    const path = join(await testFolder(), 'sparse');
    writeFileSync(path, '');
    truncateSync(path, 2 ** 40);
    const before = process.memoryUsage().rss;
    expect(readRegularFile(path, { bytesMax: 1024 })).toMatchObject({ code: 'EFBIG' });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
  });

  it.runIf(UNIX)('is read to its end when its reported size is wrong', () => {
    // Files of the system report no bytes.
    const read = readRegularFile('/proc/self/status', { bytesMax: 64 * 1024 });
    if ('bytes' in read) expect(read.bytes.length).toBeGreaterThan(100);
  });
});

describe.runIf(UNIX)('A path that is not a regular file is not opened', () => {
  const kinds: readonly (readonly [string, (path: string) => void])[] = [
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
    ['a link to a file', (path) => symlinkSync('/etc/hosts', path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
  ];

  it.each(kinds)('%s', async (_, make) => {
    const path = join(await testFolder(), 'file');
    make(path);
    expect(readRegularFile(path, { bytesMax: 100 })).toMatchObject({ why: 'is not a regular file' });
    expect(() => readHeadInPlace(path, 100)).toThrow('not a regular file');
    await expect(openRegularFile(path)).rejects.toThrow('not a regular file');
  });

  it('a device, also through a link that may be followed', async () => {
    const path = join(await testFolder(), 'file');
    symlinkSync('/dev/zero', path);
    expect(readRegularFile('/dev/zero', { bytesMax: 100 })).toMatchObject({ why: 'is not a regular file' });
    expect(readRegularFile(path, { bytesMax: 100, followLinks: true })).toMatchObject({
      why: 'is not a regular file',
    });
  });

  it('but a link to one may be followed', async () => {
    const folder = await testFolder();
    writeFileSync(join(folder, 'real'), 'text');
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    const read = readRegularFile(join(folder, 'link'), { bytesMax: 100, followLinks: true });
    expect(read).toEqual({ bytes: Buffer.from('text') });
    expect(readRegularFile(join(folder, 'gone'), { bytesMax: 1 })).toEqual({
      code: 'ENOENT',
      why: 'does not exist',
    });
  });
});
