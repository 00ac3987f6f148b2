// Folders a person does not want remembered: `exclude` patterns of the configuration. A folder that matches
// is not captured at all. Both sides are compared with forward slashes, so a pattern written on Windows fits
// either spelling; `*` stays within one folder, `**` goes any depth, a pattern without a slash is a folder's name.
// What is below an excluded folder is excluded with it.
import picomatch from 'picomatch';

/** Whether a path is excluded by one of the patterns. `home` stands for a leading `~` in either. */
export function isExcluded(path: string, patterns: readonly string[], home: string): boolean {
  const globs = patterns.map((pattern) => withSlashes(pattern.trim(), home)).filter((glob) => glob !== '');
  // The folder and those around it, innermost first.
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
  const whole = /^~(?=$|[\\/])/.test(path) ? home + path.slice(1) : path;
  // Some file systems take accents apart.
  const slashed = whole.replaceAll('\\', '/').normalize('NFC');
  return slashed.length > 1 ? slashed.replace(/\/+$/, '') : slashed;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
