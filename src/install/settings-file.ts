// The settings file of another program: reads it, backs it up, and replaces it completely or not at all. Mode and owner
// stay. A link is followed to the file that it names, and the caller can see that.
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AnnalsError } from '../../log/index.ts';
import { type FileRights, notWritten, writeAtomically } from '../platform/atomic-file.ts';
import { errorCode } from '../platform/disk-files.ts';
import { isInside } from '../platform/path-inside.ts';
import { readRegularFile } from '../platform/regular-file.ts';

/** Claude Code keeps more than settings in its file. */
export const SETTINGS_BYTES_MAX = 32 * 1024 * 1024;
const BACKUP = '.before-annals-';
/** What follows in the name of a backup, as `backupPath` writes it. */
const WRITTEN_AT = /^\d{4}-\d\d-\d\dT[\d-]+Z(?:-\d+)?$/;

export interface SettingsFile extends FileRights {
  /** The path that was asked for. */
  readonly path: string;
  /** The real path: differs from `path` when that, or a folder above it, is a link. */
  readonly target: string;
  readonly isLink: boolean;
  readonly exists: boolean;
  readonly text: string;
}

/**
 * A missing file is empty text.
 * @throws AnnalsError INPUT_UNREADABLE, INPUT_INVALID
 */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  const link = await lstat(path).catch(() => null);
  const isLink = link?.isSymbolicLink() === true;
  let target = path;
  try {
    target = await realpath(path);
    const found = await stat(target);
    const file = readRegularFile(target, { bytesMax: SETTINGS_BYTES_MAX });
    if ('why' in file && (!found.isFile() || file.code === 'EFBIG'))
      throw new AnnalsError('INPUT_INVALID', `${path} ${file.why}.`, { facts: { path } });
    if ('why' in file) throw Object.assign(new Error(file.why), { code: file.code });
    const { bytes } = file;
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes))
      throw new AnnalsError('INPUT_INVALID', `The settings file ${path} cannot be used: it is not UTF-8.`, {
        facts: { path },
      });
    const owner = { user: found.uid, group: found.gid };
    return { path, target, isLink, exists: true, text, mode: found.mode & 0o777, owner };
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof AnnalsError) throw error;
    if (code === 'ENOENT' && !isLink)
      return { path, target, isLink, exists: false, text: '', mode: 0o600, owner: null };
    const why = isLink ? 'it is a broken link' : code;
    throw new AnnalsError('INPUT_UNREADABLE', `The settings file ${path} cannot be read: ${why}.`, {
      facts: { path, system: code },
      cause: error,
    });
  }
}

/** The file as it was before a change of ours. */
export interface Backup {
  readonly path: string;
  readonly text: string;
}

/** Newest first, without those that cannot be read. */
export async function readBackups({ target }: SettingsFile): Promise<readonly Backup[]> {
  const prefix = `${basename(target)}${BACKUP}`;
  const names = await readdir(dirname(target)).catch(() => []);
  const paths = names
    .filter((name) => name.startsWith(prefix) && WRITTEN_AT.test(name.slice(prefix.length)))
    .sort()
    .reverse()
    .map((name) => join(dirname(target), name));
  const backups = paths.map((path) =>
    readSettingsFile(path).then(
      ({ text }) => ({ path, text }),
      () => null,
    ),
  );
  return (await Promise.all(backups)).filter((backup) => backup !== null);
}

export async function removeBackups(backups: readonly Backup[]): Promise<void> {
  for (const { path } of backups) await rm(path, { force: true });
}

export interface Written {
  /** Path of the backup; null when none was written. */
  readonly backup: string | null;
  /** The topmost folder that had to be made; null when the file's folder was there. */
  readonly madeFolder: string | null;
}

/** @throws AnnalsError INPUT_UNREADABLE, HOME_UNWRITABLE, DISK_FULL */
export async function writeSettingsFile(
  file: SettingsFile,
  text: string,
  { now, needsBackup }: { readonly now: number; readonly needsBackup: boolean },
): Promise<Written> {
  if (text === file.text) return { backup: null, madeFolder: null };
  return changing(file, async () => {
    const madeFolder = (await mkdir(dirname(file.target), { recursive: true, mode: 0o700 })) ?? null;
    const backup = file.exists && needsBackup ? backupPath(file.target, now) : null;
    if (backup !== null) await writeAtomically(backup, file.text, file);
    await writeAtomically(file.target, text, file);
    return { backup, madeFolder };
  });
}

/**
 * Removes the file, and the folders from its own up to `madeFolder` that are empty then.
 * @throws AnnalsError INPUT_UNREADABLE, HOME_UNWRITABLE, DISK_FULL
 */
export async function removeSettingsFile(file: SettingsFile, madeFolder: string | null): Promise<void> {
  // If it is a link, the file that it names stays.
  await changing(file, () => rm(file.path));
  if (madeFolder === null) return;
  for (let folder = dirname(file.path); isInside(folder, madeFolder); folder = dirname(folder))
    try {
      await rmdir(folder);
    } catch {
      // Somebody uses it, or it is gone.
      return;
    }
}

/** Replacing or removing a file needs write permission only for its folder. A read-only file is meant to stay. */
async function changing<T>(file: SettingsFile, change: () => Promise<T>): Promise<T> {
  const { path } = file;
  if ((file.mode & 0o200) === 0)
    throw new AnnalsError('INPUT_UNREADABLE', `The settings file ${path} is read-only and was not changed.`, {
      hint: 'Make it writable (chmod u+w), then try again.',
      facts: { path },
    });
  if ((await readSettingsFile(path)).text !== file.text)
    throw new AnnalsError(
      'INPUT_UNREADABLE',
      `The settings file ${path} was changed by another program meanwhile, and not by Annals.`,
      { hint: 'Try again.', facts: { path } },
    );
  try {
    return await change();
  } catch (error) {
    throw notWritten(`The settings file ${path}`, path, error);
  }
}

function backupPath(target: string, now: number): string {
  const path = `${target}${BACKUP}${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  for (let count = 2, free = path; ; free = `${path}-${count++}`) if (!existsSync(free)) return free;
}
