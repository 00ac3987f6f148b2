// Handles paths as text, independent of the system: a log may contain `D:\oh-my-posh` and be read on Linux.

/** The name of the project of what has no folder. */
export const NO_FOLDER = 'no folder';

/** A path with forward slashes, without a trailing one. Windows programs name one drive in small letters and in capitals. */
export function withSlashes(path: string): string {
  const slashed = path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^[a-z](?=:(?:\/|$))/, (drive) => drive.toUpperCase());
  return slashed.length > 1 ? slashed.replace(/\/+$/, '') || '/' : slashed;
}

/** A project's key as it is now: older ones have a drive in small letters. */
export function foldedKey(key: string): string {
  return key.replace(/(?<=^(?:dir|git):|@)[a-z](?=:\/)/g, (drive) => drive.toUpperCase());
}

/** The parts of a path without drive and root. */
export function pathParts(path: string): string[] {
  return withSlashes(path)
    .split('/')
    .filter((part) => part !== '' && !/^[A-Za-z]:$/.test(part));
}

/**
 * The name of a folder: its last part; `drive-C` for `C:\`; `no folder` for null and blanks.
 * A leading `~` is replaced by `home` when given.
 */
export function nameOfPath(path: string | null | undefined, home?: string): string {
  const given = path?.trim() ?? '';
  const full = home !== undefined && /^~(?=$|[\\/])/.test(given) ? home + given.slice(1) : given;
  const last = pathParts(full).at(-1);
  if (last !== undefined) return last;
  const drive = /^([A-Za-z]):[\\/]*$/.exec(full)?.[1];
  if (drive !== undefined) return `drive-${drive.toUpperCase()}`;
  return full === '' ? NO_FOLDER : full;
}

/** `path` relative to `folder`: '' for the folder itself, null when it is not below it. */
export function pathBelow(folder: string, path: string): string | null {
  const [above, below] = [withSlashes(folder), withSlashes(path)];
  if (above === below) return '';
  const prefix = above.endsWith('/') ? above : `${above}/`;
  return below.startsWith(prefix) ? below.slice(prefix.length) : null;
}

/** Names are compared without case: people type them. */
export function foldedName(name: string): string {
  return name.trim().toLowerCase();
}
