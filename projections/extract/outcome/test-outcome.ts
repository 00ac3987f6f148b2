// Determines how tests, builds and other commands ended. The exit status decides when it is that of the command itself;
// when a pipe, `;` or `||` hides it, the runner's summary line decides; otherwise the outcome is unknown.

import { rarelyFails } from '../shell/known-commands.ts';
import { parseShell } from '../shell/shell.ts';
import { type TestRun, testRunsIn } from '../shell/test-commands.ts';
import { anyOf } from '../text/any-of.ts';
import { plainMarkdown } from '../text/markdown.ts';
import { memoized } from '../transcript/memoized.ts';
import type { CommandEvidence, TestOutcome } from '../transcript/observation.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';
import { commitsOf } from './commits.ts';
import { runnerSummaryOf } from './runner-summaries.ts';

const LINE_CHARS_MAX = 120;
const NONE: readonly EndedTest[] = [];

export interface EndedTest {
  /** The command that ran the tests, as written. */
  readonly command: string;
  /** null when unknown. */
  readonly outcome: TestOutcome | null;
  /** The runner's summary line; null when there was none. */
  readonly runnerLine: string | null;
}

/** The test runs of a command; none when the runner did not start. */
export const endedTests = memoized((toolUse: ToolUse): readonly EndedTest[] => {
  const whole = toolUse.command?.whole;
  if (whole === undefined) return NONE;
  const { runs, alone } = testRunsIn(whole);
  if (runs.length === 0) return NONE;
  if ((toolUse.outcome !== 'ok' && toolUse.outcome !== 'failed') || isUnended(toolUse))
    return runs.map(({ command }) => ({ command, outcome: null, runnerLine: null }));
  const printed = printedBy(toolUse);
  if (NEVER_RAN.test(printed.slice(0, HEAD_CHARS)) || NEVER_RAN.test(printed.slice(-HEAD_CHARS))) return NONE;
  const summary = runnerSummaryOf(printed, whole);
  const runnerLine =
    summary === null || summary.line === null
      ? null
      : plainMarkdown(summary.line).replace(RULER, '').slice(0, LINE_CHARS_MAX).toWellFormed();
  const lines = printed.split('\n').length;
  return runs.map((run) => {
    if (run.captured) return { command: run.command, outcome: null, runnerLine: null };
    const filtered = run.filtered || Math.max(lines, toolUse.lines) >= run.linesMax;
    const outcome = outcomeOf({ ...run, filtered }, toolUse.outcome === 'ok', summary, runs.length, alone);
    // One summary line cannot be attributed to two runs.
    const own = outcome !== null && runs.length === 1 && summary?.result === outcome ? runnerLine : null;
    return { command: run.command, outcome, runnerLine: own };
  });
});

function outcomeOf(
  { bound, optional, filtered }: TestRun,
  succeeded: boolean,
  summary: ReturnType<typeof runnerSummaryOf>,
  runs: number,
  alone: boolean,
): TestOutcome | null {
  const result = summary?.result ?? null;
  if (succeeded && bound && !optional) {
    // Status 0 with a contradicting summary line: the status was swallowed, or the line is not the runner's.
    return result === 'failed' || result === 'none' ? null : 'passed';
  }
  if (!succeeded && bound && alone && !optional)
    return result === 'passed' || result === 'none' ? null : 'failed';
  if (summary === null || runs > 1 || result === 'none') return null;
  if (result === 'failed') return 'failed';
  return result === 'passed' && !filtered && summary.families === 1 ? 'passed' : null;
}

/** How a command ended; null when unknown, for example when a pipe hides the status. */
export const commandEnd = memoized((toolUse: ToolUse): TestOutcome | null => {
  const { command } = toolUse;
  if (command === null || isUnended(toolUse)) return null;
  if (command.purpose === 'test') {
    const ends = new Set(endedTests(toolUse).flatMap(({ outcome }) => outcome ?? []));
    if (ends.has('failed')) return 'failed';
    return ends.size === 1 && isStatusOfAll(command.whole) && toolUse.outcome === 'ok'
      ? 'passed'
      : passedAlone(toolUse, ends);
  }
  if (toolUse.outcome === 'failed')
    return MISSING_FOLDER.test(printedBy(toolUse).slice(0, HEAD_CHARS)) ? null : 'failed';
  if (toolUse.outcome !== 'ok') return null;
  if (command.purpose === 'commit') return commitsOf(toolUse).length > 0 ? 'passed' : null;
  if (command.purpose === 'lint' && foundNothing(toolUse, command.whole)) return 'passed';
  return isStatusOfAll(command.whole) ? 'passed' : null;
});

/** What linters print last when they found nothing: golangci-lint, Biome, Ruff. */
const CLEAN = /^(?:0 issues\.|Checked \d+ files? in \S+ No fixes applied\.|All checks passed!)$/;

/** Whether the only command of a line is a linter that says so, behind a pipe too. */
function foundNothing({ tail }: ToolUse, whole: string): boolean {
  return parseShell(whole).links.length === 1 && CLEAN.test(tail.trimEnd().split('\n').at(-1) ?? '');
}

/** Passed according to the runner, with a hidden status and no other command that could fail. */
function passedAlone({ command, outcome }: ToolUse, ends: ReadonlySet<TestOutcome>): TestOutcome | null {
  return outcome === 'ok' && ends.size === 1 && testRunsIn(command!.whole).alone ? 'passed' : null;
}

export function commandOutcome(toolUse: ToolUse): CommandEvidence['outcome'] {
  if (toolUse.outcome === 'cancelled') return 'cancelled';
  const end = commandEnd(toolUse);
  if (end === 'passed') return toolUse.printedFailure ? null : 'ok';
  return end === null ? null : 'failed';
}

/** Whether status 0 means that every command in it succeeded. */
export function isStatusOfAll(command: string): boolean {
  const { links, pipefail } = parseShell(command);
  return links.every(
    ({ stages, bound, optional }) =>
      rarelyFails(stages[0]!) || (bound && !optional && (pipefail || stages.slice(0, -1).every(rarelyFails))),
  );
}

function printedBy({ error, tail }: ToolUse): string {
  return error === '' || tail === '' || error.includes(tail) ? error || tail : `${error}\n${tail}`;
}

/** Whether its end is unknown: it ran in the background or was interrupted. */
export function isUnended({ input, tail, error, command }: ToolUse): boolean {
  if (input.run_in_background === true || UNENDED.test(tail) || TIMED_OUT.test(error.slice(0, HEAD_CHARS)))
    return true;
  return command !== null && BACKGROUND.test(command.whole);
}

const HEAD_CHARS = 600;
/** Pytest draws rules on both sides of its summary. */
const RULER = /^=+ | =+$/g;
const BACKGROUND = /(?:^|[^&>|])&[ \t]*(?:$|\n|disown\b|echo\b|sleep\b|wait\b|[A-Za-z_]\w*=\$!)/;
const UNENDED =
  /^Command (?:is )?(?:running|was (?:manually )?(?:moved|backgrounded))[^\n]* background|\bmoved to the background\b|\[Request interrupted by user/im;
/** 124: `timeout`; 126 and 127: not executable or not found; 128 and above: ended by a signal. */
const TIMED_OUT =
  /^(?:Error: )?Command timed out|\btimed out after \d|^Exit code (?:124|126|127|1[3-9]\d|2\d\d)\b|\[Request interrupted by user|^Command was (?:killed|terminated|aborted)/im;
/** The runner did not start, so there is no test outcome. */
const NEVER_RAN = anyOf(
  { flags: 'im', before: /^/ },
  // The shell.
  /[\w/.-]*(?:bash|zsh|sh|fish|\(eval\)):.*(?:not found|no such file|permission denied|is a directory)/,
  /(?:env|exec): .*no such file|.*command not found$|.*is not recognized as\b/,
  // The runner does not know what it was told.
  /error: unrecognized subcommand|error: (?:unexpected argument|unknown option|unknown command|Script not found|no such command)/,
  /error: no such subcommand|Usage: \S+ \[/,
  // There is no such script or task.
  /npm (?:ERR!|error) Missing script|.*ERR_PNPM_NO_(?:SCRIPT|IMPORTER)\w*|error Command "[^"\n]{1,60}" not found|.*Missing script:/,
  /.*No rule to make target|\*\* \(Mix\) The task|Could not find (?:a )?task|mise ERROR no task/,
  // There is no such program.
  // Nothing was compiled.
  /.*\[setup failed\]|.*build constraints exclude all Go files/,
  /.*No such file or directory: .*manage\.py|.*could not determine executable to run/,
);
/** The folder did not exist. */
const MISSING_FOLDER = /^(?:[\w/.-]*(?:bash|zsh|sh|\(eval\)):(?:\d+:)? (?:line \d+: )?cd: |cd: )/im;
