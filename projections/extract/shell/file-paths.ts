// Shortens paths, in the same form on every system.

/** A path relative to the workdir, such as `src/a.ts`; the full path when it is outside. */
export function insideWorkdir(path: string, workdir: string): string {
  const slashed = path.replaceAll('\\', '/');
  const root = workdir.replaceAll('\\', '/').replace(/\/+$/, '');
  const inside =
    root !== '' && slashed.toLowerCase().startsWith(`${root.toLowerCase()}/`)
      ? slashed.slice(root.length + 1)
      : slashed;
  return inside.replace(/^\.\//, '');
}

/** A path as the workdir's system writes it: Git's shell on Windows writes `/d/app` for `D:\app`. */
export function nativePath(path: string, workdir: string): string {
  return /^[a-z]:/i.test(workdir) ? path.replace(/^\/([a-z])\//i, '$1:/') : path;
}

/** Whether both name one file, if one of them may be written from another folder. */
export function isSameFile(one: string, other: string): boolean {
  return `/${one}`.endsWith(`/${other}`) || `/${other}`.endsWith(`/${one}`);
}

/** Whether a list names the file, or a folder that holds it: `src/`. */
export function isAmong(file: string, listed: readonly string[]): boolean {
  return listed.some((one) => (one.endsWith('/') ? `/${file}`.includes(`/${one}`) : isSameFile(one, file)));
}

/** The same files after one was moved. One whose new name is not known, or that may be the same file, is left out. */
export function renamedIn(files: readonly string[], [from, to]: readonly [string, string]): string[] {
  return files.flatMap((file) => {
    if (file === from) return to === '' ? [] : [to];
    return isSameFile(file, from) ? [] : [file];
  });
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}
