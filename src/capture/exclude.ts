// Folders a person does not want remembered: `exclude` patterns of the configuration. A folder that matches
// is not captured at all. Both sides are compared with forward slashes, so a pattern written on Windows fits
// either spelling; `*` stays within one folder, `**` goes any depth, a pattern without a slash is a folder's name.
import picomatch from 'picomatch';

/** Whether a path is excluded by one of the patterns. `home` stands for a leading `~` in either. */
export function isExcluded(path: string, patterns: readonly string[], home: string): boolean {
  const folder = withSlashes(path, home);
  if (folder === '') return false;
  return patterns.some((pattern) => {
    const glob = withSlashes(pattern.trim(), home);
    if (glob === '') return false;
    if (!glob.includes('/')) return matches(baseName(folder), glob) || matches(folder, glob);
    return matches(folder, glob);
  });
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
