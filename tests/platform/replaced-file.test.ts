// Whether the file that was opened is the one that was checked. It replaces what the system says of an open file.
import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readRegularFile } from '../../src/platform/regular-file.ts';
import { testFolder } from '../helpers/views.ts';

/** What the system reports of an open file, until the test ends. */
function systemWith({ platform, opened }: { platform: NodeJS.Platform; opened: object }): void {
  const { platform: real } = process;
  const { fstatSync } = fs;
  const system = vi.spyOn(fs, 'fstatSync');
  system.mockImplementation(((file, options) =>
    Object.assign(fstatSync(file, options), opened)) as typeof fstatSync);
  syncBuiltinESMExports();
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => {
    system.mockRestore();
    syncBuiltinESMExports();
    Object.defineProperty(process, 'platform', { value: real });
  });
}

describe('A file whose device is another one once it is open', () => {
  it('is read on Windows, where only the number of the file is reliable', async () => {
    const path = join(await testFolder(), 'file');
    writeFileSync(path, 'text');
    systemWith({ platform: 'win32', opened: { dev: 0n } });
    expect(readRegularFile(path, { bytesMax: 10 })).toEqual({ bytes: Buffer.from('text') });
  });

  it.each([
    ['win32', { ino: 0n }],
    ['linux', { dev: 0n }],
  ] as const)('is refused on %s when it was put there meanwhile, %o', async (platform, opened) => {
    const path = join(await testFolder(), 'file');
    writeFileSync(path, 'text');
    systemWith({ platform, opened });
    expect(readRegularFile(path, { bytesMax: 10 })).toMatchObject({ why: 'is not a regular file' });
  });
});
