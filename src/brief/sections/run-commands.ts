// Shows how the project is run and tested: the commands that succeeded, tests first, one line per runner and package; and those
// that always failed.
// Commands that only look around or tidy up (ls, rm, git status) say nothing about a project and are left out.
import {
  type Call,
  callIn,
  commandOf,
  type FailingCall,
  isTemporary,
  type ObservationLine,
  parseShell,
  purposeOfStage,
  saysHowItRuns,
  type Tally,
} from '../../../projections/index.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence, countsLine } from '../lines/brief-lines.ts';

const TESTS_MAX = 4;
const COMMANDS_MAX = 4;
const COMMAND_RUNS_MIN = 2;
/** What is done once: a new project, a tool that is set up, code that is generated for one change, what is tidied up. */
const SETS_UP =
  /(?: |^)(?:create|init|install|add|new|login|logout|auth|configure|config|doctor|uninstall|remove|delete|destroy|prune|kill)(?: |$)|\bcreate-|^mix [\w.]+\.(?:codegen|gen)\b/;
/** A task or a script of the project. */
const OF_PROJECT =
  /^(?:[A-Z_]+=\S+ )?(?:npm|pnpm|yarn|bun|deno|go|cargo|mix|dotnet|make|just|task|mise|rake|rails|composer|gradle|\S*gradlew|mvn|poetry|uv|node|python\d?|ruby|php|tsx) (?!-)|^\.{1,2}\/|^scripts?\//;
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
  observations: readonly ObservationLine[],
  failing: readonly FailingCall[],
): BriefLine[] {
  const tested = byRunner(tests).slice(0, TESTS_MAX);
  const checks = (isCounted: (stage: Stage) => boolean) =>
    calledIn(observations, isCounted)
      .filter(({ name }) => lastEndOf(callOf(name).task, observations) !== 'failed')
      .slice(0, CHECKS_MAX);
  const ofProject = checks((stage) => isCheck(stage) && !isOfFiles(stage.text));
  const checked = ofProject.length > 0 ? ofProject : checks(isCheck);
  const ran = calledIn(observations, ({ purpose }) => purpose === 'other')
    .filter(({ name }) => ![...tested, ...checked].some((other) => mayBeSameRunner(other.name, name)))
    .filter(isLasting)
    .slice(0, COMMANDS_MAX);
  const [first] = tested;
  return [
    ...(first === undefined
      ? []
      : [
          line('Test', testedText(first, tested.slice(1), observations), lastRunOf(first, observations)?.row),
        ]),
    ...checkLine(
      ofProject.length > 0 ? 'Format, lint, build' : 'Format, lint, build of single files',
      checked,
    ),
    ...failingLines(failing, observations),
    ...partLine(observations, tested),
    ...ran.map((one) => line('Run', () => `\`${typed(one.name)}\` ended well ${times(one)}`, one.row)),
  ];
}

const LINTER =
  /^(?:eslint|biome|prettier|gofmt|ruff|flake8|rubocop|markdownlint\S*|shellcheck|fmt|format|lint\S*)$/;
const FILE = /^(?!\.[^/]*$)[\w@./-]*\w\.[a-z]{1,6}$/;
/** Their value is the next word. */
const VALUED = /^(?:-[co]|--\w*(?:config|path|file|format|rule|parser|level|max-warnings)\w*)$/;
/** What comes after a linter and names no file: `biome check`. */
const SUBCOMMAND = /^(?:check|lint|format|ci|run)$/;

/** Whether a linter or a formatter was given nothing but files. */
function isOfFiles(text: string): boolean {
  const words = text.replace(IN_FOLDER, '').split(' ');
  const at = words.findIndex((word) => LINTER.test(word));
  const operands = words.filter(
    (word, index) =>
      index > at && !word.startsWith('-') && !VALUED.test(words[index - 1]!) && !SUBCOMMAND.test(word),
  );
  return at >= 0 && operands.length > 0 && operands.every((word) => FILE.test(word));
}

function isCheck({ purpose }: Stage): boolean {
  return purpose === 'check' || purpose === 'lint';
}

/** Whether it is of use again: what ran in one piece of work, and is no task or script of the project, may be a probe. */
function isLasting({ name, ofRunner }: Called): boolean {
  return (ofRunner >= COMMAND_RUNS_MIN || OF_PROJECT.test(name)) && name.length <= COMMAND_CHARS_MAX;
}

/** What failed every time that it was seen, or what passes in its place. */
export function failingLines(
  failing: readonly FailingCall[],
  observations: readonly ObservationLine[],
): BriefLine[] {
  return failing.slice(0, FAILING_MAX).map(({ call, times: ofCall, exactly, last, passing }) => {
    const { id, at, agent, session, turn, command, error } = last;
    const other = passing.filter((one) => isVariant(one, call)).sort((a, b) => b.length - a.length)[0];
    const why =
      error === null || !NAMES_ERROR.test(error) ? '' : `; last: ${clipSentence(error, ERROR_CHARS_MAX)}`;
    const times = exactly > 1 ? `${exactly} times` : `\`${call}\` ${ofCall} times`;
    const text =
      other === undefined
        ? `\`${typed(command)}\` (${times}, never seen passing${why})`
        : `\`${call}\` (${ofCall} times${why}); \`${other}\` ${lastEndOf(other, observations) === 'failed' ? 'runs, and failed last' : 'passes'}`;
    return {
      ...countsLine('Fails', text),
      ...{ id, at, turn: { agent, session, turn } },
    };
  });
}

/** How a call ended the last time that its end is known; null if it is not. */
function lastEndOf(call: string, observations: readonly ObservationLine[]): 'failed' | 'passed' | null {
  for (const { tests, commands } of observations) {
    const test = tests.findLast(({ command }) => callOf(essence(command)).task === call);
    if (test !== undefined) return test.after;
    const ended = commands.findLast(
      ({ command, outcome }) => (outcome === 'ok' || outcome === 'failed') && isOnly(command, call),
    );
    if (ended !== undefined) return ended.outcome === 'ok' ? 'passed' : 'failed';
  }
  return null;
}

/** Whether a command does nothing else: of a chain that failed it is not known which part did. */
function isOnly(command: string, call: string): boolean {
  const stages = stagesOf(command);
  return stages.length === 1 && callOf(stages[0]!.text).task === call;
}

/** The same task behind a wrapper, or by another package manager. */
function isVariant(one: string, other: string): boolean {
  return one.endsWith(` ${other}`) || other.endsWith(` ${one}`) || scriptOf(one) === scriptOf(other);
}

function scriptOf(call: string): string {
  return call.replace(/^(?:npm|pnpm|yarn|bun) (?:run )?/, 'script ');
}

interface Called {
  /** As it was called most often, of several the last one. */
  readonly name: string;
  readonly row: ObservationLine;
  /** In how many pieces of work, in exactly this form and in any. */
  readonly count: number;
  readonly ofRunner: number;
}

interface Form {
  readonly row: ObservationLine;
  calls: number;
  readonly rows: Set<ObservationLine>;
}

/** What ended well, most often first. Checks are usually in a chain with the tests, which would hide them. */
function calledIn(observations: readonly ObservationLine[], isCounted: (stage: Stage) => boolean): Called[] {
  const found = new Map<string, Map<string, Form>>();
  for (const row of observations)
    for (const { command, outcome } of row.commands.toReversed())
      for (const stage of outcome === 'ok' ? stagesOf(command) : []) {
        const { text } = stage;
        if (!isCounted(stage) || SETS_UP.test(callOf(text).task)) continue;
        const runner = runnerOf(text);
        const name =
          text.length > CHECK_CHARS_MAX && isCheck(stage) && text.startsWith(runner) ? runner : text;
        const forms = found.get(runner) ?? new Map<string, Form>();
        const form = forms.get(name) ?? { row, calls: 0, rows: new Set() };
        found.set(runner, forms.set(name, form));
        form.calls++;
        form.rows.add(row);
      }
  const called = [...found.values()].map((forms): Called => {
    const [name, { row, rows }] = [...forms].reduce((most, one) =>
      one[1].calls > most[1].calls ? one : most,
    );
    const ofRunner = new Set([...forms.values()].flatMap((form) => [...form.rows])).size;
    return { name, row, count: rows.size, ofRunner };
  });
  return distinct(called.sort((one, other) => other.ofRunner - one.ofRunner));
}

function checkLine(label: string, checked: readonly Called[]): BriefLine[] {
  const [most] = checked;
  if (most === undefined) return [];
  const named = (some: readonly Called[]) => some.map(({ name }) => `\`${typed(name)}\``);
  const [first = '', ...together] = named(checked.filter(({ row }) => row === most.row));
  const elsewhere = named(checked.filter(({ row }) => row !== most.row));
  const ended = ' ended well';
  const within = (charsMax: number) => {
    const text = `${first}${fitting(', ', together, charsMax - first.length - ended.length)}${ended}`;
    return `${text}${fitting('; in other work also: ', elsewhere, charsMax - text.length)}`;
  };
  return [line(label, within, most.row)];
}

interface Stage {
  readonly text: string;
  readonly purpose: ReturnType<typeof purposeOfStage>;
}

/** Starts like a command, and was not cut. */
const COMPLETE = /^[A-Za-z_./~@][^…]*$/;

/** Prints how it is used, and does nothing. */
const SHOWS_ITSELF = / (?:--help|--version|-h|-V|help|version)$|^command -v /;
/** A script in the command itself, output that is thrown away, or what another program calls. */
const ONE_OFF =
  /^\S*(?:node|deno|bun|python[\d.]*|ruby|perl|php|lua|sh|bash|zsh|pwsh)(?:$| (?:-\w+ )*(?:-\w*[cepr]|--eval|--print|eval) )| (?:-o|--out(?:put)?)[ =](?:\/dev\/null|NUL)\b|^\S+ hooks? /;

/** A variable that the command around it sets, as a loop does: by custom, those of the environment are in capitals. */
const OWN_VARIABLE = /\$\{?[a-z]/;

/** The parts of a command that say how the project is run: of each pipe the first one that does more than to look. */
const stagesOf = remembered((command): readonly Stage[] => {
  const folder = IN_FOLDER.exec(command)?.[0] ?? '';
  return parseShell(command.slice(0, command.length - folder.length)).links.flatMap(({ stages, written }) => {
    const at = stages.findIndex(saysHowItRuns);
    const text = at < 0 ? '' : commandOf(written[at]!);
    if (!COMPLETE.test(text) || isTemporary(text) || SHOWS_ITSELF.test(text) || OWN_VARIABLE.test(text))
      return [];
    const purpose = purposeOfStage(stages[at]!);
    // What reads the output of another command is not run so without it.
    const isOneOff = purpose === 'other' && (at > 0 || ONE_OFF.test(text));
    return isOneOff ? [] : [{ text: `${text}${folder}`, purpose }];
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

/** Runs a part of the tests: names of tests, or files. */
const NARROW =
  / (?:-run|-k|-t|--grep|--testNamePattern|--test-name-pattern)[ =]|[\w-]\.(?:test|spec)\.\w+|\w_test\.\w+|\btest_\w+\.py|\wTests?\.(?:java|kt|cs)\b|::\w/;
const ONE_TEST_CHARS_MAX = 100;

/** How a part of the tests was run last. */
function partLine(observations: readonly ObservationLine[], tested: readonly Tally[]): BriefLine[] {
  for (const row of observations) {
    for (const { command, after } of row.tests) {
      if (after !== 'passed') continue;
      const what = essence(command);
      if (!NARROW.test(what) || what.length > ONE_TEST_CHARS_MAX || purposeIn(what) !== 'test') continue;
      if (!lacksFolder(what, tested)) return [line('One test', () => `\`${typed(what)}\``, row)];
    }
  }
  return [];
}

/** Whether its runner is known to run in a folder only, and not in which one it ran: a shell stays where it is. */
function lacksFolder(what: string, tested: readonly Tally[]): boolean {
  const { task, folder } = callOf(what);
  const folders = tested.map(({ name }) => callOf(name)).filter((one) => one.task === task);
  return folder === '' && folders.length > 0 && folders.every((one) => one.folder !== '');
}

function purposeIn(what: string): Stage['purpose'] | undefined {
  return stagesOf(what).at(-1)?.purpose;
}

/** The most frequent command of each runner, in order; without runs of a part of the tests. */
function byRunner(tallies: readonly Tally[]): Tally[] {
  const counts = new Map<string, number>();
  for (const { name, count } of tallies) {
    const what = essence(name);
    if (what !== '' && what.length <= COMMAND_CHARS_MAX && !NARROW.test(what))
      counts.set(what, (counts.get(what) ?? 0) + count);
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

/** The last run with a known end, and its piece of work. */
function lastRunOf(
  { name }: Tally,
  observations: readonly ObservationLine[],
): { readonly row: ObservationLine; readonly test: ObservationLine['tests'][number] } | undefined {
  for (const row of observations) {
    const test = row.tests.findLast(({ command }) => essence(command) === name);
    if (test !== undefined) return { row, test };
  }
  return undefined;
}

/** With the runner's own last line, if it is known; and as many others as there is room for. */
function testedText(
  tally: Tally,
  others: readonly Tally[],
  observations: readonly ObservationLine[],
): (charsMax: number) => string {
  const last = lastRunOf(tally, observations)?.test;
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
