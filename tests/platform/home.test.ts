import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../src/platform/home-folder.ts';
import { testFolder } from '../helpers/views.ts';

const root = process.getuid?.() === 0;

describe('the home', () => {
  it('is created when missing, closed to others and empty', async () => {
    const home = join(await testFolder(), 'some', 'where', '.annals');
    expect(await openHome(home)).toBe(home);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    expect(await readdir(home)).toEqual([]);
    expect(await openHome(home)).toBe(home);
  });

  it('is created once when several processes create it', async () => {
    const home = join(await testFolder(), '.annals');
    await Promise.all(Array.from({ length: 10 }, () => openHome(home)));
    expect(await readdir(home)).toEqual([]);
  });

  it('is refused when it is a link, also a broken one', async () => {
    const folder = await testFolder();
    await mkdir(join(folder, 'real'), { mode: 0o700 });
    await symlink(join(folder, 'real'), join(folder, 'link'));
    await symlink(join(folder, 'nothing'), join(folder, 'dangling'));
    for (const name of ['link', 'dangling'])
      await expect(openHome(join(folder, name))).rejects.toMatchObject({
        code: 'HOME_INVALID',
        message: expect.stringContaining('is a link'),
        hint: expect.stringContaining('ANNALS_HOME'),
      });
  });

  it('cannot be the root of a file system, and the hint does not say to close it', async () => {
    const refused = await openHome(parse(process.cwd()).root).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'HOME_INVALID',
      message: expect.stringContaining('is the root of a file system'),
      hint: expect.not.stringContaining('chmod'),
    });
  });

  it('is not closed when the folder holds other files', async () => {
    const folder = await testFolder();
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'letter.txt'), 'text');
    await expect(openHome(folder)).rejects.toMatchObject({
      code: 'HOME_INVALID',
      message: expect.stringContaining('holds other files'),
      hint: expect.stringMatching(/^Set ANNALS_HOME to a folder of its own/),
    });
    await mkdir(join(folder, 'log'));
    await expect(openHome(folder)).rejects.toMatchObject({ hint: expect.stringContaining('chmod 700') });
  });

  it('is refused when it is a file, or is below one', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'file'), 'text');
    await expect(openHome(join(folder, 'file'))).rejects.toMatchObject({
      code: 'HOME_INVALID',
      message: expect.stringContaining('is not a folder'),
    });
    await expect(openHome(join(folder, 'file', 'home'))).rejects.toMatchObject({ code: 'HOME_INVALID' });
  });

  it('is refused when others may read it', async () => {
    const home = join(await testFolder(), 'home');
    await mkdir(home);
    await chmod(home, 0o750);
    await expect(openHome(home)).rejects.toMatchObject({
      code: 'HOME_INVALID',
      message: expect.stringContaining('is open to others'),
      hint: expect.stringContaining('chmod 700'),
    });
  });

  it('is refused when it belongs to another user', async () => {
    const home = join(await testFolder(), 'home');
    await openHome(home);
    await expect(openHome(home, (process.getuid?.() ?? 0) + 1)).rejects.toMatchObject({
      code: 'HOME_INVALID',
      message: expect.stringContaining('belongs to another user'),
    });
  });

  it.skipIf(root)('is refused when it cannot be created or written', async () => {
    const folder = await testFolder();
    const home = join(folder, 'home');
    await openHome(home);
    await chmod(home, 0o500);
    await expect(openHome(home)).rejects.toMatchObject({
      code: 'HOME_UNWRITABLE',
      message: expect.stringContaining('permission denied'),
    });
    await expect(openHome(join(home, 'inner'))).rejects.toMatchObject({ code: 'HOME_UNWRITABLE' });
    await chmod(home, 0o700);
  });

  it('gives an error when the system refuses to create it', async () => {
    // /proc accepts no folder from any user.
    await expect(openHome('/proc/annals-home')).rejects.toMatchObject({ code: 'HOME_UNWRITABLE' });
  });
});
