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
    within(
      wordsIn(next).filter((word) => !EVERYTHING.has(word)),
      wordsIn(earlier),
    )
  );
}
