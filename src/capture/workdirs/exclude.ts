// Folders that a person does not want recorded: the `exclude` patterns of the configuration. A matching folder, and
// everything below it, is not captured at all. Both sides are compared with forward slashes, so a pattern written on
// Windows matches either spelling. `*` stays within one folder, `**` goes to any depth, and a pattern without a slash
// is a folder's name.
import picomatch from 'picomatch';

/** Whether a path is excluded by one of the patterns. `home` replaces a leading `~` in either. */
export function isExcluded(path: string, patterns: readonly string[], home: string): boolean {
  const globs = patterns.map((pattern) => withSlashes(pattern.trim(), home)).filter((glob) => glob !== '');
  // The folder and its parents, innermost first.
  for (
    let folder = withSlashes(path, home);
    folder !== '';
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
  )
    if (
      globs.some((glob) => matches(folder, glob) || (!glob.includes('/') && matches(baseName(folder), glob)))
    )
      return true;
  return false;
}

/** `a, b,c` of an environment variable → its patterns. */
export function exclusionPatterns(list: string): string[] {
  return list
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
}

function matches(path: string, glob: string): boolean {
  return picomatch.isMatch(path, glob, { dot: true, nocase: /^[A-Za-z]:\//.test(path), windows: false });
}

function withSlashes(path: string, home: string): string {
  const expanded = /^~(?=$|[\\/])/.test(path) ? home + path.slice(1) : path;
  // Some file systems decompose accented characters.
  const slashed = expanded.replaceAll('\\', '/').normalize('NFC');
  return slashed.length > 1 ? slashed.replace(/\/+$/, '') : slashed;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
