// Paths as a reader wants them: short, and the same on every system.

/** `src/a.ts`, however deep the place stands; the whole path where it is outside. */
export function insideWorkdir(path: string, workdir: string): string {
  const slashed = path.replaceAll('\\', '/');
  const root = workdir.replaceAll('\\', '/').replace(/\/+$/, '');
  const inside =
    root !== '' && slashed.toLowerCase().startsWith(`${root.toLowerCase()}/`)
      ? slashed.slice(root.length + 1)
      : slashed;
  return inside.replace(/^\.\//, '');
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}
