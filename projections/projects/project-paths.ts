// Paths as text, of any system on any system: a log may hold `D:\oh-my-posh` and be read on Linux.

export const UNKNOWN_PROJECT = 'unknown-project';

/** A path with forward slashes, without a trailing one. */
export function withSlashes(path: string): string {
  const slashed = path.trim().replaceAll('\\', '/');
  return slashed.length > 1 ? slashed.replace(/\/+$/, '') || '/' : slashed;
}

/** Parts of a path, drive and root aside. */
export function pathParts(path: string): string[] {
  return withSlashes(path)
    .split('/')
    .filter((part) => part !== '' && !/^[A-Za-z]:$/.test(part));
}

/**
 * What a folder is called: its last part; `drive-C` for `C:\`; `unknown-project` for nothing, blanks and `/`.
 * A leading `~` stands for `home` when that is given.
 */
export function nameOfPath(path: string | null | undefined, home?: string): string {
  const given = path?.trim() ?? '';
  const whole = home !== undefined && /^~(?=$|[\\/])/.test(given) ? home + given.slice(1) : given;
  const last = pathParts(whole).at(-1);
  if (last !== undefined) return last;
  const drive = /^([A-Za-z]):[\\/]*$/.exec(whole)?.[1];
  return drive === undefined ? UNKNOWN_PROJECT : `drive-${drive.toUpperCase()}`;
}

/** Where `path` lies below `folder`: '' for the folder itself, null when it does not. */
export function pathBelow(folder: string, path: string): string | null {
  const [above, below] = [withSlashes(folder), withSlashes(path)];
  if (above === below) return '';
  const prefix = above.endsWith('/') ? above : `${above}/`;
  return below.startsWith(prefix) ? below.slice(prefix.length) : null;
}
