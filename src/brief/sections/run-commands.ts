// Shows how the project is run and tested: the commands that succeeded most often, tests first, one line per runner and package.
// Commands that only look around or tidy up (ls, rm, git status) say nothing about a project and are left out.
import {
  type Call,
  callIn,
  type FailingCall,
  isTemporary,
  type ObservationLine,
  parseShell,
  purposeOfStage,
  rarelyFails,
  type Tally,
  withoutRedirections,
} from '../../../projections/index.ts';
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
const CHECKS_MAX = 5;
const CHECK_CHARS_MAX = 60;
const TEXT_CHARS_MAX = 600;
const FAILING_MAX = 3;
const ERROR_CHARS_MAX = 90;
/** Other output does not say why it failed. */
const NAMES_ERROR = /error|exception|fatal|panic|not found|cannot|unrecognized|missing/i;

/** @param observations newest first */
export function runningLines(
  tests: readonly Tally[],
  commands: readonly Tally[],
  observations: readonly ObservationLine[],
): BriefLine[] {
  const tested = byRunner(tests).slice(0, TESTS_MAX);
  const checked = checksIn(observations);
  const others = [...tested, ...checked];
  const ran = byRunner(commands)
    .filter(({ name }) => !others.some((other) => mayBeSameRunner(other.name, name)))
    .filter(
      ({ count }, index) => count >= COMMAND_RUNS_MIN || index < COMMANDS_MIN || observations.length < FEW,
    )
    .slice(0, COMMANDS_MAX);
  /** The newest piece of work in which a command ended well. */
  const last = (name: string, wellIn: (row: ObservationLine) => readonly { readonly command: string }[]) =>
    observations.find((row) => wellIn(row).some(({ command }) => essence(command) === name));
  const [first] = tested;
  return [
    ...(first === undefined
      ? []
      : [
          line(
            'Test',
            testedText(first, tested.slice(1), observations),
            last(first.name, (row) => row.tests.filter(({ after }) => after === 'passed')),
          ),
        ]),
    ...checkLine(checked),
    ...ran.map((tally) =>
      line(
        'Run',
        () => `\`${typed(tally.name)}\` ended well ${times(tally)}`,
        last(tally.name, (row) => row.commands.filter(({ outcome }) => outcome === 'ok')),
      ),
    ),
  ];
}

/** What failed every time that it was seen, or what passes in its place. */
export function failingLines(failing: readonly FailingCall[]): BriefLine[] {
  return failing.slice(0, FAILING_MAX).map(({ call, times, last, passing }) => {
    const { id, at, agent, session, turn, command, error } = last;
    const other = passing.filter((one) => isVariant(one, call)).sort((a, b) => b.length - a.length)[0];
    const why =
      error === null || !NAMES_ERROR.test(error) ? '' : `; last: ${clipSentence(error, ERROR_CHARS_MAX)}`;
    const text =
      other === undefined
        ? `\`${typed(command)}\` (${times} times, never seen passing${why})`
        : `\`${call}\` (${times} times${why}); \`${other}\` passes`;
    return {
      ...countsLine('Fails', text),
      ...{ id, at, turn: { agent, session, turn } },
    };
  });
}

/** The same task behind a wrapper, or by another package manager. */
function isVariant(one: string, other: string): boolean {
  return one.endsWith(` ${other}`) || other.endsWith(` ${one}`) || scriptOf(one) === scriptOf(other);
}

function scriptOf(call: string): string {
  return call.replace(/^(?:npm|pnpm|yarn|bun) (?:run )?/, 'script ');
}

interface Check {
  /** As it was called last. */
  readonly name: string;
  readonly row: ObservationLine;
  readonly count: number;
}

/** How code is formatted, linted and built, most often first: usually in a chain with the tests, which would hide it. */
function checksIn(observations: readonly ObservationLine[]): Check[] {
  const found = new Map<string, Check>();
  for (const row of observations)
    for (const { command, outcome } of row.commands)
      for (const { text, purpose } of outcome === 'ok' ? stagesOf(command) : []) {
        if (purpose !== 'check' && purpose !== 'lint') continue;
        const runner = runnerOf(text);
        const name = text.length > CHECK_CHARS_MAX && text.startsWith(runner) ? runner : text;
        const known = found.get(runner) ?? { name, row, count: 0 };
        found.set(runner, { ...known, count: known.count + 1 });
      }
  return distinct([...found.values()].sort((one, other) => other.count - one.count)).slice(0, CHECKS_MAX);
}

function checkLine(checked: readonly Check[]): BriefLine[] {
  const [most] = checked;
  if (most === undefined) return [];
  const [first = '', ...others] = checked.map(({ name }) => `\`${typed(name)}\``);
  const ended = ' ended well';
  const within = (charsMax: number) =>
    `${first}${fitting(', ', others, charsMax - first.length - ended.length)}${ended}`;
  return [line('Format, lint, build', within, most.row)];
}

interface Stage {
  readonly text: string;
  readonly purpose: ReturnType<typeof purposeOfStage>;
}

const SHOWN = new Set(['test', 'check', 'lint', 'other']);
/** Also after a wrapper: `rtk git add`. */
const VERSIONS = /^(?:\w+ )?(?:git|gh|glab) /;
/** Starts like a command, and was not cut. */
const COMPLETE = /^[A-Za-z_./~@][^…]*$/;

/** Prints how it is used, and does nothing. */
const SHOWS_ITSELF = / (?:--help|--version|-h|-V|help|version)$|^command -v /;
/** A script in the command itself, output that is thrown away, or what another program calls. */
const ONE_OFF =
  /^\S*(?:node|deno|bun|python[\d.]*|ruby|perl|php|lua|sh|bash|zsh|pwsh)(?:$| (?:-\w+ )*(?:-\w*[cepr]|--eval|--print|eval) )| (?:-o|--out(?:put)?)[ =](?:\/dev\/null|NUL)\b|^\S+ hooks? /;

/** The parts of a command that say how the project is run: of each pipe the first one that does more than to look. */
const stagesOf = remembered((command): readonly Stage[] => {
  const folder = IN_FOLDER.exec(command)?.[0] ?? '';
  return parseShell(command.slice(0, command.length - folder.length)).links.flatMap(({ stages, written }) => {
    const at = stages.findIndex(
      (stage) => SHOWN.has(purposeOfStage(stage)) && !rarelyFails(stage) && !VERSIONS.test(stage),
    );
    const text = at < 0 ? '' : withoutRedirections(written[at]!);
    if (!COMPLETE.test(text) || isTemporary(text) || SHOWS_ITSELF.test(text)) return [];
    const purpose = purposeOfStage(stages[at]!);
    return purpose === 'other' && ONE_OFF.test(text) ? [] : [{ text: `${text}${folder}`, purpose }];
  });
});

/** The main command of a chain: the last test, else the last that does not only look around; empty for none. */
export function essence(command: string): string {
  const stages = stagesOf(command);
  return (stages.findLast(({ purpose }) => purpose === 'test') ?? stages.at(-1))?.text ?? '';
}

const REMEMBERED_MAX = 5_000;

/** Caches results, because a brief parses the same commands many times. */
function remembered<T>(find: (command: string) => T): (command: string) => T {
  const known = new Map<string, T>();
  return (command) => {
    if (known.size === REMEMBERED_MAX) known.clear();
    if (!known.has(command)) known.set(command, find(command));
    return known.get(command)!;
  };
}

/** A call, and the folder it changed to first. Without one it may be any: a shell stays where it is. */
function callOf(command: string): Call & { readonly folder: string } {
  const folder = IN_FOLDER.exec(command);
  return { ...callIn(command.slice(0, folder?.index)), folder: folder?.[1] ?? '' };
}

const IN_FOLDER = / \(in ([^)]+)\)$/;

/** `go test ./... (in src)` as one would type it. */
export function typed(command: string): string {
  const [end, folder = ''] = IN_FOLDER.exec(command) ?? [''];
  if (folder === '') return command;
  return `cd ${/\s/.test(folder) ? `"${folder}"` : folder} && ${command.slice(0, -end.length)}`;
}

/** The same for `npx vitest run tests/a.test.ts` and `npx vitest run`, but not for two packages. */
export function runnerOf(command: string): string {
  const { task, packages, folder } = callOf(command);
  return [task, packages, folder].filter((part) => part !== '').join(' ');
}

/** The same runner, as far as it is known in which folder each ran. */
export function mayBeSameRunner(one: string, other: string): boolean {
  const [a, b] = [callOf(one), callOf(other)];
  if (a.task !== b.task || a.packages !== b.packages) return false;
  return a.folder === b.folder || a.folder === '' || b.folder === '';
}

/** The most frequent command of each runner, in order. */
function byRunner(tallies: readonly Tally[]): Tally[] {
  const counts = new Map<string, number>();
  for (const { name, count } of tallies) {
    const what = essence(name);
    if (what !== '' && what.length <= COMMAND_CHARS_MAX) counts.set(what, (counts.get(what) ?? 0) + count);
  }
  const sorted = [...counts].sort(
    ([a, many], [b, others]) => others - many || a.length - b.length || (a < b ? -1 : 1),
  );
  return distinct(sorted.map(([name, count]) => ({ name, count })));
}

/** The first of those that may be the same runner. */
function distinct<T extends { readonly name: string }>(all: readonly T[]): T[] {
  const kept: T[] = [];
  for (const one of all) if (!kept.some(({ name }) => mayBeSameRunner(name, one.name))) kept.push(one);
  return kept;
}

function times({ count }: Tally): string {
  return count === 1 ? 'once' : `in ${count} pieces of work`;
}

/** With the runner's own last line, if it is known; and as many others as there is room for. */
function testedText(
  tally: Tally,
  others: readonly Tally[],
  observations: readonly ObservationLine[],
): (charsMax: number) => string {
  const last = observations
    .flatMap(({ tests }) => [...tests].reverse())
    .find(({ command }) => essence(command) === tally.name);
  const words = last === undefined ? null : runnerWords(last.after, last.runnerLine);
  const lastRun =
    last === undefined || (last.after === 'passed' && words === null)
      ? ''
      : `; last: ${last.after}${words === null ? '' : `, ${clipSentence(words, SAID_CHARS_MAX)}`}`;
  const passed = `\`${typed(tally.name)}\` passed ${times(tally)}`;
  const also = others.map((other) => `\`${typed(other.name)}\` ${times(other)}`);
  return (charsMax) => {
    const text = passed.length + lastRun.length <= charsMax ? `${passed}${lastRun}` : passed;
    return `${text}${fitting('; also passed: ', also, charsMax - text.length)}`;
  };
}

/** The first of these commands that fit: each is shown whole or not at all. */
function fitting(before: string, commands: readonly string[], charsMax: number): string {
  let text = '';
  for (const command of commands) {
    const longer = `${text === '' ? before : `${text}, `}${command}`;
    if (longer.length > charsMax) break;
    text = longer;
  }
  return text;
}

/** "0 failures" of another tool in the same chain does not say why a test failed. */
export function runnerWords(after: 'passed' | 'failed', runnerLine: string | null): string | null {
  return after === 'failed' && /^(?:0|no) /i.test(runnerLine ?? '') ? null : runnerLine;
}

function line(
  label: string,
  within: (charsMax: number) => string,
  last: ObservationLine | undefined,
): BriefLine {
  const text = within(TEXT_CHARS_MAX);
  const made =
    last === undefined ? countsLine(label, text) : briefLine(last, { label, text, voice: 'record' });
  return { ...made, within };
}
