// Shows how the project is run and tested: the commands that succeeded most often, tests first, one line per runner.
// Commands that only look around (ls, cat, git status) say nothing about a project and are left out.
import type { ObservationLine, Tally } from '../../../projections/index.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence, countsLine } from '../lines/brief-lines.ts';

const TESTS_MAX = 4;
const COMMANDS_MAX = 8;
/** A command with fewer runs is shown only if there are few others. */
const COMMAND_RUNS_MIN = 2;
const COMMANDS_MIN = 4;
/** With fewer observations than this every command is shown. */
const FEW = 20;
const COMMAND_CHARS_MAX = 120;
const SAID_CHARS_MAX = 60;

const LOOKS_AROUND =
  /^(?:\w+ (?:update|close|reopen|claim|assign|comment|done) (?=\S*\d)|\(|\[|#|\d|if|for|while|until|do|done|then|else|fi|case|ls|ll|cat|bat|less|more|grep|egrep|rg|ag|find|fd|head|tail|sed|awk|sort|uniq|wc|cut|tr|xargs|diff|cmp|echo|printf|pwd|cd|mkdir|rmdir|rm|cp|mv|ln|touch|chmod|chown|which|whereis|type|command|file|stat|du|df|tree|ps|kill|pkill|lsof|sleep|wait|date|env|export|source|set|unset|true|yes|jq|tee|git|gh|glab|claude|codex|gemini|open|man|history|whoami|uname|\w+ (?:show|list|status|ready|view|info|log|sync)|Set-Location|Get-\w+|Select-\w+|Write-\w+)\b/;
/** Temporary: files in a temporary folder will not exist the next time. */
const SCRATCH = /(?:^|[\s"'=])(?:\/tmp\/|\/private\/tmp\/|\$\{?(?:TMP|TEMP|SCRATCH))/i;
const TESTS =
  /\b(?:tests?|spec|check|verify|jest|vitest|mocha|ava|pytest|tox|rspec|phpunit|ctest|unittest)\b/;

/** @param observations newest first */
export function runningLines(
  tests: readonly Tally[],
  commands: readonly Tally[],
  observations: readonly ObservationLine[],
): BriefLine[] {
  const age = agesOf(observations);
  const tested = byRunner(tests, age).slice(0, TESTS_MAX);
  const tidied = tidiedBy(observations);
  const runners = new Set([
    ...tested.map(({ name }) => runnerOf(name)),
    ...tidied.map(({ runner }) => runner),
  ]);
  const ran = byRunner(commands, age)
    .filter(({ name }) => !runners.has(runnerOf(name)))
    .filter(
      ({ count }, index) => count >= COMMAND_RUNS_MIN || index < COMMANDS_MIN || observations.length < FEW,
    )
    .slice(0, COMMANDS_MAX);
  const last = (runner: string, ranBy: (row: ObservationLine) => readonly { readonly command: string }[]) =>
    observations.find((row) => ranBy(row).some(({ command }) => runnerOf(essence(command)) === runner));
  const [first] = tested;
  return [
    ...(first === undefined
      ? []
      : [
          line(
            'Test',
            testedText(tested, observations),
            last(runnerOf(first.name), (row) => row.tests),
          ),
        ]),
    ...tidyLine(tidied),
    ...oneTest(observations),
    ...ran.map((tally) =>
      line(
        'Run',
        `\`${tally.name}\` ended well ${times(tally)}`,
        last(runnerOf(tally.name), (row) => row.commands),
      ),
    ),
  ];
}

interface Tidied {
  readonly runner: string;
  /** Each way it was called, and how often. */
  readonly names: Map<string, number>;
  readonly row: ObservationLine;
  readonly count: number;
}

/** How code is formatted, linted and built, most often first: usually in a chain with the tests, which would hide it. */
function tidiedBy(observations: readonly ObservationLine[]): Tidied[] {
  const found = new Map<string, Tidied>();
  for (const row of observations)
    for (const { command, outcome } of row.commands) {
      if (outcome !== 'ok' || !CHECKS.test(command)) continue;
      for (const link of command.split(/&&|\|\||;/).map(unpiped)) {
        const runner = runnerOf(link);
        if (!CHECKS.test(runner) || !isComplete(link) || LOOKS_AROUND.test(link)) continue;
        const known = found.get(runner) ?? { runner, names: new Map<string, number>(), row, count: 0 };
        const name = link.length > TIDY_CHARS_MAX ? runner : link;
        known.names.set(name, (known.names.get(name) ?? 0) + 1);
        found.set(runner, { ...known, count: known.count + 1 });
      }
    }
  return [...found.values()].sort((one, other) => other.count - one.count).slice(0, TIDY_MAX);
}

function tidyLine(tidied: readonly Tidied[]): BriefLine[] {
  const [most] = tidied;
  if (most === undefined) return [];
  const names = tidied.map(({ names }) => `\`${mostFrequentName(names)}\``).join(', ');
  return [
    briefLine(most.row, { label: 'Format, lint, build', text: `${names} ended well`, voice: 'record' }),
  ];
}

const TIDY_MAX = 5;
const TIDY_CHARS_MAX = 60;
const CHECKS =
  /\b(?:build|compile|tsc|typecheck|vet|fmt|format|lint\w*|prettier|biome|credo|rubocop|ruff|gofmt|clippy|eslint|golangci-lint)\b/;

/** The first of equal ones, which is the newest. */
function mostFrequentName(names: ReadonlyMap<string, number>): string {
  return [...names].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** How a single test is run: the newest such command that passed. */
function oneTest(observations: readonly ObservationLine[]): BriefLine[] {
  for (const row of observations)
    for (const { command, after } of [...row.tests].reverse()) {
      const what = essence(command);
      if (after === 'passed' && ONE_TEST.test(what) && what.length <= COMMAND_CHARS_MAX)
        return [briefLine(row, { label: 'One test', text: `\`${what}\` passed`, voice: 'record' })];
    }
  return [];
}

const ONE_TEST =
  /\s-(?:run|k|t)[ =]|--(?:filter|grep|testNamePattern|tests)\b|::\w|[\w/]\.(?:test|spec)\.\w+|_test\.\w+|\btest_\w+\.py/;

/** The main command of a chain: the last test, else the last that does not only look around; without what shortens its output. */
export const essence = remembered((command) => {
  const links = command
    .split(/&&|\|\||;|\n/)
    .map(unpiped)
    .filter((link) => isComplete(link) && !LOOKS_AROUND.test(unfed(link)) && !SCRATCH.test(link));
  return links.findLast((link) => TESTS.test(link)) ?? links.at(-1) ?? '';
});

const REMEMBERED_MAX = 5_000;

/** Caches results, because a brief parses the same commands many times. */
function remembered(find: (command: string) => string): (command: string) => string {
  const known = new Map<string, string>();
  return (command) => {
    const before = known.get(command);
    if (before !== undefined) return before;
    const found = find(command);
    if (known.size === REMEMBERED_MAX) known.clear();
    known.set(command, found);
    return found;
  };
}

/** Without what shortens its output. A command that answers its questions is kept: `yes | npx create-app`. */
function unpiped(link: string): string {
  const [first = '', second] = link.split(/\s\|\s|\s2?>/).map((one) => one.trim());
  return second !== undefined && FEEDS.test(first) && /^(?:npx|npm|pnpm|yarn|bunx?) /.test(second)
    ? `${first} | ${second}`
    : first;
}

function unfed(link: string): string {
  return FEEDS.test(link) ? link.replace(/^.*?\s\|\s/, '') : link;
}

const FEEDS = /^(?:yes|echo|printf)\b/;

/** Whether a link starts like a command and was not cut inside a quotation. */
function isComplete(link: string): boolean {
  const even = (quote: string) => link.split(quote).length % 2 === 1;
  return (
    /^[A-Za-z_./~@]/.test(link) &&
    !link.includes('…') &&
    even('"') &&
    even("'") &&
    even('`') &&
    !link.includes('<<')
  );
}

/** The words before the first flag or path, at most three: the same for `npx vitest run tests/a.test.ts` and `npx vitest run`. */
export const runnerOf = remembered((command) => {
  const words = unfed(command)
    .split(/\s+/)
    .filter((word) => !/^[A-Z_][A-Z0-9_]*=/.test(word));
  const end = words.findIndex((word, index) => index > 0 && !/^[a-z][a-z0-9:@-]*$/i.test(word));
  return words.slice(0, Math.min(end === -1 ? words.length : end, 3)).join(' ');
});

/** How many commands ran after each command, for those of the newest observations. */
function agesOf(observations: readonly ObservationLine[]): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  for (const { commands } of observations)
    for (const { command } of [...commands].reverse()) {
      const what = essence(command);
      if (!ages.has(what)) ages.set(what, ages.size);
    }
  return ages;
}

/** The most frequent command of each runner, the newest of equal ones, in order. */
function byRunner(tallies: readonly Tally[], ages: ReadonlyMap<string, number>): Tally[] {
  const counts = new Map<string, number>();
  for (const { name, count } of tallies) {
    const what = essence(name);
    if (what !== '' && what.length <= COMMAND_CHARS_MAX) counts.set(what, (counts.get(what) ?? 0) + count);
  }
  const age = (what: string) => ages.get(what) ?? Number.MAX_SAFE_INTEGER;
  const sorted = [...counts].sort(
    ([a, many], [b, others]) => others - many || age(a) - age(b) || a.length - b.length || (a < b ? -1 : 1),
  );
  const known = new Set<string>();
  return sorted.flatMap(([name, count]) => {
    const runner = runnerOf(name);
    if (known.has(runner)) return [];
    known.add(runner);
    return [{ name, count }];
  });
}

function times({ count }: Tally): string {
  return count === 1 ? 'once' : `in ${count} pieces of work`;
}

/** With the runner's own last line, if it is known. */
function testedText([tally, ...others]: readonly Tally[], observations: readonly ObservationLine[]): string {
  if (tally === undefined) return '';
  const all = observations.flatMap(({ tests }) => [...tests].reverse());
  const last =
    all.find(({ command }) => essence(command) === tally.name) ??
    all.find(({ command }) => runnerOf(essence(command)) === runnerOf(tally.name));
  const words = last === undefined ? null : runnerWords(last.after, last.runnerLine);
  const lastRun =
    last === undefined || (last.after === 'passed' && words === null)
      ? ''
      : `; last: ${last.after}${words === null ? '' : `, ${clipSentence(words, SAID_CHARS_MAX)}`}`;
  const also = others.map((other) => `\`${other.name}\` ${times(other)}`).join(', ');
  return `\`${tally.name}\` passed ${times(tally)}${lastRun}${also === '' ? '' : `; also passed: ${also}`}`;
}

/** "0 issues" of another tool in the same chain does not say why a test failed. */
export function runnerWords(after: 'passed' | 'failed', runnerLine: string | null): string | null {
  return after === 'failed' &&
    runnerLine !== null &&
    /^(?:0|no) (?:issues|errors|failures|failed)\b/i.test(runnerLine)
    ? null
    : runnerLine;
}

function line(label: string, text: string, last: ObservationLine | undefined): BriefLine {
  return last === undefined ? countsLine(label, text) : briefLine(last, { label, text, voice: 'record' });
}
