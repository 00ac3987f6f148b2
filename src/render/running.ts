// How things are run and tested here: what ended well most often, tests first, one line a program. Looking around
// (ls, cat, git status) says nothing about a project and is left out.
import type { ObservationLine, Tally } from '../../projections/index.ts';
import type { BriefLine } from './brief.ts';
import { lineOf, plainLine } from './lines.ts';

const TESTS_MAX = 4;
const COMMANDS_MAX = 6;
/** Fewer runs say nothing about how things are done. */
const COMMAND_RUNS_MIN = 2;

const LOOKS_AROUND =
  /^(?:\(|\[|#|if|for|while|until|ls|ll|cat|bat|less|more|grep|egrep|rg|ag|find|fd|head|tail|sed|awk|sort|uniq|wc|cut|tr|xargs|diff|cmp|echo|printf|pwd|cd|mkdir|rmdir|rm|cp|mv|ln|touch|chmod|chown|which|whereis|type|command|file|stat|du|df|tree|ps|kill|pkill|lsof|sleep|wait|date|env|export|source|set|true|test|jq|tee|git|gh|glab|claude|codex|gemini|open|man|history|whoami|uname)\b/;

/** @param observations newest first */
export function runningLines(
  tests: readonly Tally[],
  commands: readonly Tally[],
  observations: readonly ObservationLine[],
): BriefLine[] {
  const tested = byRunner(tests).slice(0, TESTS_MAX);
  const runners = new Set(tested.map(({ name }) => runnerOf(name)));
  const ran = byRunner(
    commands.filter(
      ({ name, count }) =>
        count >= COMMAND_RUNS_MIN && !LOOKS_AROUND.test(name) && !runners.has(runnerOf(name)),
    ),
  ).slice(0, COMMANDS_MAX);
  return [
    ...tested.map((tally) => {
      const last = observations.find((row) => row.tests.some(({ command }) => command === tally.name));
      return line('Test', `\`${tally.name}\` passed in ${times(tally)}`, last);
    }),
    ...ran.map((tally) => {
      const last = observations.find((row) => row.commands.some(({ command }) => command === tally.name));
      return line('Run', `\`${tally.name}\` ended well in ${times(tally)}`, last);
    }),
  ];
}

/** `npx vitest run tests/a.test.ts` and `npx vitest run` have one: the words before the first flag or path, at most three. */
export function runnerOf(command: string): string {
  const words = command.split(/\s+/).filter((word) => !/^[A-Z_][A-Z0-9_]*=/.test(word));
  const end = words.findIndex((word, index) => index > 0 && !/^[a-z][a-z0-9:@-]*$/i.test(word));
  return words.slice(0, Math.min(end === -1 ? words.length : end, 3)).join(' ');
}

/** The most frequent of each runner, in order. */
function byRunner(tallies: readonly Tally[]): Tally[] {
  const known = new Set<string>();
  return tallies.filter(({ name }) => {
    const runner = runnerOf(name);
    if (known.has(runner)) return false;
    known.add(runner);
    return true;
  });
}

function times({ count }: Tally): string {
  return count === 1 ? 'one piece of work' : `${count} pieces of work`;
}

function line(label: string, text: string, last: ObservationLine | undefined): BriefLine {
  return last === undefined
    ? plainLine(label, text)
    : lineOf(last, { label, text, voice: 'record', alike: 0 });
}
