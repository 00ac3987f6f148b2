// Whether two commands in their short form run the same tool, and whether one of them covers the other.

const WORDS = /[^\s;&|"'()]+/g;
/** All packages of Go, and the folder itself. */
const EVERYTHING = new Set(['./...', '.', './']);

/** `go test`, of the last command of a chain. */
export function toolOf(short: string): string {
  const last = short.slice(Math.max(short.lastIndexOf('&&') + 2, short.lastIndexOf(';') + 1)).trim();
  return last.split(' ', 2).join(' ').split(':')[0]!;
}

/** Whether one of the commands of a chain runs a tool. */
export function runsTool(short: string, tool: string): boolean {
  return short.split(/&&|\|\||[;&]/).some((link) => toolOf(link) === tool);
}

/** `npm test`, `mise run test:ci`, `go test ./...`: runs all tests, as far as its words tell. */
export function runsAllTests(short: string): boolean {
  const words = wordsIn(short).filter((word) => !EVERYTHING.has(word));
  return (
    words.length <= 3 && !short.endsWith(')') && words.every((word) => /^[a-z]+(?::[a-z]+)*$/.test(word))
  );
}

/** The words of a command, without later stages of its pipe. */
export function wordsIn(short: string): readonly string[] {
  const [first = ''] = short.replace(/ \(in [^()]*\)$/, '').split(/\s\|\s/, 1);
  return first.match(WORDS) ?? [];
}

/** Whether all of them are among the others. */
export function within(some: readonly string[], all: readonly string[]): boolean {
  return some.every((word) => all.includes(word));
}

/** Whether the first command tests what the second one does: it names nothing else. Both are test runs. */
export function coversTests(next: string, earlier: string): boolean {
  return (
    toolOf(next) === toolOf(earlier) &&
    (hasWiderFilter(next, earlier) ||
      within(
        wordsIn(next).filter((word) => !EVERYTHING.has(word)),
        wordsIn(earlier),
      ))
  );
}

const GO_FILTER = / -run[ =](?:"([^"]*)"|'([^']*)'|(\S+))/;
/** Flags that change neither which tests run nor how they are built. */
const SAME_TESTS = / (?:-v|-count[ =]1|-timeout[ =]\S+)(?=\s|$)/g;
const NAMES = /^\^?\w+\$?(?:\|\^?\w+\$?)*$/;

/** Whether both are `go test` with the same words, and each test that `-run` of the second one names is one of the first's. */
function hasWiderFilter(next: string, earlier: string): boolean {
  if (!next.startsWith('go test ') || wordsBesides(next) !== wordsBesides(earlier)) return false;
  const [wide, narrow] = [levelsOf(next), levelsOf(earlier)];
  return (
    wide.length > 0 &&
    wide.every((level, depth) => {
      const names = level.split('|');
      return narrow[depth]?.split('|').every((name) => names.some((part) => name.includes(part))) === true;
    })
  );
}

function wordsBesides(command: string): string {
  return command
    .replace(GO_FILTER, '')
    .replace(SAME_TESTS, '')
    .replaceAll('=', ' ')
    .split(' ')
    .sort()
    .join(' ');
}

/** The pattern of `-run` for the name of a test and of each subtest; none for other patterns than parts of names. */
function levelsOf(command: string): readonly string[] {
  const [, ...patterns] = GO_FILTER.exec(command) ?? [];
  const pattern = patterns.find((one) => one !== undefined) ?? '';
  const levels = pattern.split('/');
  return levels.every((level) => NAMES.test(level)) && (levels.length === 1 || !pattern.includes('|'))
    ? levels
    : [];
}
