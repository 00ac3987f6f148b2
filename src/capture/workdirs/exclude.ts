// Folders that a person does not want recorded: the `exclude` patterns of the configuration. A matching folder, and
// everything below it, is not captured at all. `*` stays within one folder, `**` goes to any depth, `?` is one character,
// every other character is taken literally: a name such as `Clients (NDA)` must not become an expression. When in doubt, a folder is
// excluded: upper and lower case are the same, because they are on some disks, and a link is the same as its target,
// because agents report either.
import type { RepositoryFiles } from './repository-files.ts';

interface Places extends Pick<RepositoryFiles, 'realPath'> {
  /** In place of a leading `~`. */
  readonly home: string;
}

interface Pattern {
  /** The folder before the first `*` or `?`. Null: anywhere. */
  readonly folder: string | null;
  readonly rest: RegExp;
}

/** Tells whether a path is excluded by one of the patterns. */
export function exclusionBy(patterns: readonly string[], places: Places): (path: string) => boolean {
  const parsed = patterns.filter((pattern) => pattern.trim() !== '').map((one) => parse(one, places.home));
  return (path) => {
    const paths = spellings(withHome(path, places.home), places);
    return parsed.some(({ folder, rest }) =>
      (folder === null ? [''] : spellings(folder, places)).some((start) =>
        paths.some((one) => one.startsWith(start) && rest.test(one.slice(start.length))),
      ),
    );
  };
}

/** `a, b,c` of an environment variable → its patterns. */
export function exclusionPatterns(list: string): string[] {
  return list
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
}

/**
 * A person who writes `!a`, `{a,b}`, `[ab]`, `!(a)`, `(a|b)`, `./a`, `../a`, `$HOME/a`, `%USERPROFILE%\a` or `~robin/a` expects
 * a meaning that they do not have here.
 */
export function isUnderstood(pattern: string): boolean {
  const path = withSlashes(pattern.trim());
  return (
    !/^!|^\$(?:\(|\w+(?:\/|$))|^%[^/%]+%|^~[^/]|!\(|[[{|]/.test(path) && !/(?:^|\/)\.\.?(?:\/|$)/.test(path)
  );
}

function parse(pattern: string, home: string): Pattern {
  const parts = withSlashes(pattern.trim()).split('/');
  const at = parts.findIndex((part) => /[*?]/.test(part));
  const named = at === -1 ? parts : parts.slice(0, at);
  if (/^(?:[A-Za-z]:|~|)$/.test(parts[0]!))
    return { folder: withHome(named.join('/'), home), rest: expression(parts.slice(named.length)) };
  return { folder: null, rest: expression(['**', ...parts]) };
}

/** Matches what begins with these parts, each with a slash behind it. */
function expression(parts: readonly string[]): RegExp {
  const source = parts.map((part) => (part === '**' ? '(?:[^/]*/)*' : `${partExpression(part)}/`));
  return new RegExp(`^${source.join('')}`, 'u');
}

function partExpression(part: string): string {
  return normal(part)
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replaceAll('?', '[^/]');
}

function withHome(path: string, home: string): string {
  return /^~(?=$|[\\/])/.test(path) ? home + path.slice(1) : path;
}

/** What a path is compared by: as it is written, and with links resolved. */
function spellings(path: string, { realPath }: Places): readonly string[] {
  return [path, realPath(path)].map((one) => `${normal(withSlashes(one))}/`);
}

/** So that a pattern written on Windows matches either spelling. Two slashes at the start are a Windows server. */
function withSlashes(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/\/+$/, '')
    .replace(/(?<=.)\/+/g, '/');
}

/** Some file systems decompose accented characters, and some do not tell upper from lower case. */
function normal(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
