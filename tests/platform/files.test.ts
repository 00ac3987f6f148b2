import { chmod, mkdir, stat as nodeStat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notWritten, readText, writeAtomically } from '../../src/platform/atomic-file.ts';
import { now } from '../../src/platform/clock.ts';
import { folderBytes, list, makeFolder, remove, stat } from '../../src/platform/disk-files.ts';
import { homePath, homePaths } from '../../src/platform/home-paths.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';
import { testFolder } from '../helpers/views.ts';

describe('a file written atomically', () => {
  it('replaces the old one, is closed to others and leaves no temporary file', async () => {
    const folder = join(await testFolder(), 'deep', 'down');
    const path = join(folder, 'CURRENT');
    await writeAtomically(path, 'one');
    await writeAtomically(path, 'two');
    expect(await readText(path)).toBe('two');
    expect(await readdir(folder)).toEqual(['CURRENT']);
    expect((await nodeStat(path)).mode & 0o777).toBe(0o600);
  });

  it('is one of those written when many write at once', async () => {
    const path = join(await testFolder(), 'CURRENT');
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index} `.repeat(500));
    await Promise.all(texts.map((text) => writeAtomically(path, text)));
    expect(texts).toContain(await readText(path));
  });

  it('is unchanged when the new one cannot replace it', async () => {
    const folder = await testFolder();
    await mkdir(join(folder, 'taken', 'full'), { recursive: true });
    await expect(writeAtomically(join(folder, 'taken'), 'text')).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['taken']);
  });

  it.each([
    ['ENOSPC', 'DISK_FULL'],
    ['EROFS', 'HOME_UNWRITABLE'],
  ])('that could not be written says so: %s', (code, reported) => {
    const error = Object.assign(new Error(code), { code, syscall: 'write' });
    expect(notWritten('The file', '/file', error)).toMatchObject({
      ...{ code: reported, message: `The file could not be written (${code}) and was not changed.` },
      facts: { path: '/file', system: code },
    });
    const bug = new TypeError('undefined is not a function');
    expect(notWritten('The file', '/file', bug)).toBe(bug);
  });

  it('is undefined when there is none, or when it is a folder', async () => {
    const folder = await testFolder();
    expect(await readText(join(folder, 'nothing'))).toBeUndefined();
    expect(await readText(folder)).toBeUndefined();
  });
});

describe('files', () => {
  it('are listed, measured and removed, also when there are none', async () => {
    const folder = await testFolder();
    await makeFolder(join(folder, 'a', 'b'));
    await writeFile(join(folder, 'a', 'two'), '22');
    await writeFile(join(folder, 'a', 'b', 'three'), '333');
    expect(await list(join(folder, 'a'))).toEqual(['b', 'two']);
    expect(await list(join(folder, 'nothing'))).toEqual([]);
    expect(await folderBytes(folder)).toBe(5);
    expect(await folderBytes(join(folder, 'nothing'))).toBe(0);
    await remove(join(folder, 'a'));
    await remove(join(folder, 'a'));
    expect(await list(folder)).toEqual([]);
  });

  it('are reported by kind, and a link is not followed', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'file'), 'text');
    await symlink(join(folder, 'file'), join(folder, 'link'));
    expect(await stat(join(folder, 'file'))).toMatchObject({ kind: 'file', size: 4 });
    expect((await stat(join(folder, 'link')))?.kind).toBe('link');
    expect((await stat(folder))?.kind).toBe('folder');
    expect(await stat(join(folder, 'nothing'))).toBeNull();
  });

  it.skipIf(process.getuid?.() === 0)('throw the system’s error when reading is not allowed', async () => {
    const folder = join(await testFolder(), 'closed');
    await mkdir(folder);
    await chmod(folder, 0);
    await expect(list(folder)).rejects.toMatchObject({ code: 'EACCES' });
  });
});

describe('the home path', () => {
  it('is ANNALS_HOME, made absolute, else .annals in the user home', () => {
    expect(homePath({ ANNALS_HOME: '/data/annals' }, '/home/ada')).toBe('/data/annals');
    expect(homePath({ ANNALS_HOME: 'here' }, '/home/ada')).toBe(join(process.cwd(), 'here'));
    expect(homePath({ ANNALS_HOME: '' }, '/home/ada')).toBe('/home/ada/.annals');
    expect(homePath({}, '/home/ada')).toBe('/home/ada/.annals');
    expect(homePaths('/h')).toMatchObject({ log: '/h/log', views: '/h/views', spoolNew: '/h/spool/new' });
  });
});

describe('clock and randomness', () => {
  it('are those of the machine', async () => {
    expect(Math.abs(now() - (await nodeTime()))).toBeLessThan(60_000);
    expect(randomBytes(16)).toHaveLength(16);
    expect(randomBytes(16)).not.toEqual(randomBytes(16));
  });
});

/** The file system's own clock, Unix ms. */
async function nodeTime(): Promise<number> {
  const path = join(await testFolder(), 'now');
  await writeFile(path, '');
  expect(await readFile(path, 'utf8')).toBe('');
  return (await nodeStat(path)).mtimeMs;
}
