// Tests whether a command runs a git subcommand: line by line from the first `git` on, so that the time is linear in the
// length.

const CHARS_READ = 20_000;

export function runsGit(command: string, words: RegExp): boolean {
  if (!command.includes('git')) return false;
  return command
    .slice(0, CHARS_READ)
    .split('\n')
    .some((line) => {
      const at = line.search(/\bgit\b/);
      return at >= 0 && words.test(line.slice(at));
    });
}
