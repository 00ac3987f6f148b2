// Parses the summary lines of test runners. This is the only file that knows their formats: one expression recognizes the
// lines of a runner, and the counts or words in a line give the result. Only a runner's own summary line counts, or where
// there is none that of a script that runs the tests; not the output of the tested program.
import { stripVTControlCharacters } from 'node:util';
import type { TestOutcome } from '../transcript/observation.ts';

/** none: the runner ran without any test. */
type RunnerResult = TestOutcome | 'none';

/** What scripts print last. Nothing follows that may take it back. */
const ALL_PASSED = /^\W{0,4}all (?:\d+ )?tests? (?:have )?passed(?:[^\w?]*$|[.!]+\s)/i;
/** The summary lines of each runner; runners with the same lines share an expression. */
const SUMMARY_LINES: Readonly<Record<string, RegExp>> = {
  jest: /^(?:Tests|Test Suites|Snapshots):\s+\d+ [a-z]/,
  vitest: /^(?:Tests|Test Files|Errors)\s+\d+ [a-z]/,
  bun: /^(?:[#ℹ] )?(?:\d+ (?:pass|fail|passing|failing|errors?)|(?:pass|fail) \d+)(?: \(\d+\w*\))?$/,
  pytest:
    /^(?:=+ )?(?:(?:\d+ \w+, )*\d+ \w+(?: in [\d.]+s\b| \([\d.]+m?s\)$)|\d+ (?:failed|flaky|skipped|interrupted)$|no tests ran in )/,
  rspec: /^\d+ (?:(?:doc)?tests?|examples?|runs|propert(?:y|ies)), (?:\d+ \w+, )*\d+ failures?\b/,
  cargo:
    /^(?:test result: \w+\. \d|Summary \[.{1,20}\]|error: (?:test failed, to rerun|\d+ targets? failed|could not compile))/,
  go: /^(?:--- FAIL: \S|(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[)|FAIL$)/,
  phpunit: /^(?:OK(?: \(|$)|(?:FAILURES|ERRORS)!$|FAILED \(|Tests: \d+, Assertions|Ran 0 tests)/,
  gradle: /^(?:\[\w+\] )?BUILD (?:SUCCESS|FAIL)/,
  dotnet: /^(?:(?:Passed|Failed|Skipped)!\s+- |Test summary: total|Test Run \w+\.$)/,
  ctest: /^\d+% tests passed/,
  deno: /^(?:ok|FAILED) \| \d/,
  turbo: /^(?:Tasks:\s+\d+ successful|Failed:\s+\S+#\S|ERROR\s+run failed)/,
  tox: /^(?:congratulations :\)|evaluation failed :\()/,
  script: ALL_PASSED,
  empty: /^(?:no tests? (?:files? )?(?:found|to run)|testing: warning: no tests|there are no tests)/i,
};

const FAILED =
  /\b[1-9]\d* (?:(?:tests?|targets?) )?(?:fail\w*|errors?|timed out|interrupted)\b|\b(?:fail\w*|errors):? +[1-9]|^(?:--- FAIL|FAIL|ERROR|evaluation failed|Failed[!:]|error:|test result: FAILED)|BUILD FAIL|^Test Run (?:Failed|Aborted)/i;
const PASSED =
  /\b[1-9]\d* (?:pass\w*|flaky|succe\w+|tests?|doctests?|examples?|runs)\b|\b(?:pass|passed|succeeded):? +[1-9]|^ok\s|^OK$|% tests passed|BUILD SUCCESS|Run Successful|^congratulations/;
/** No tests, or none of them ran. */
const EMPTY =
  /\b0 (?:pass\w*|tests(?! failed)|examples|runs)\b|\bpass 0$|\bno tests?\b|^[^,]*\bskipped\b[^,]*$/i;
/** The same, in a line that counts other things too. */
const ALL_SKIPPED =
  /^Skipped!|^(?:=+ |Tests:\s+)?(?=.*(?:skipped|todo|deselected))(?:\d+ (?:skipped|todo|deselected|warnings?)(?:, | (?=in )))+(?:\d+ total$|in )|^(\d+) examples?, 0 failures, \1 pending$|^Tests: (\d+), Assertions: 0,.* Skipped: \2\b|^(\d+) (?:tests|runs), .*\b\3 skip/;

/** Tools that run several runners; only their own summary covers all of them. */
const WRAPPING = new Set(['turbo', 'tox', 'gradle']);
const LINE_CHARS_MAX = 240;
const TEXT_CHARS_READ = 12_000;

export interface RunnerSummary {
  /** null when the summaries of several runners contradict each other. */
  readonly result: RunnerResult | null;
  /** Number of different runners that finished. */
  readonly families: number;
  /** The summary line; null when no line covers the whole run. */
  readonly line: string | null;
}

interface SummaryLine {
  readonly family: string;
  /** null for a line that says neither, such as "0 fail". */
  readonly result: RunnerResult | null;
  readonly line: string;
}

/**
 * @param command what printed the text: a script's words that it has in it are the agent's own
 * @returns null when the text has no summary line
 */
export function runnerSummaryOf(text: string, command = ''): RunnerSummary | null {
  const found = stripVTControlCharacters(text.slice(-TEXT_CHARS_READ))
    .split('\n')
    .flatMap(summaryLinesIn)
    .filter(({ family, line }) => family !== 'script' || !command.includes(line));
  const own = found.filter(({ family }) => WRAPPING.has(family));
  const counted = own.length > 0 ? own : found;
  const families = new Map<string, RunnerResult>();
  for (const { family, result } of counted)
    if (result !== null) families.set(family, worse(families.get(family), result));
  // A script's own words add nothing to what a runner says.
  if (families.size > 1) families.delete('script');
  if (families.size > 1) families.delete('empty');
  const results = new Set(families.values());
  const [result] = results;
  if (result === undefined) return null;
  return {
    result: results.size === 1 ? result : null,
    families: families.size,
    line: countsOf(counted, result),
  };
}

function summaryLinesIn(raw: string): SummaryLine[] {
  const line = raw.length > LINE_CHARS_MAX ? '' : raw.trim().replace(FRAME, '');
  if (line === '') return [];
  const family = Object.keys(SUMMARY_LINES).find((name) => SUMMARY_LINES[name]!.test(line));
  return family === undefined ? [] : [{ family, result: resultOf(line), line }];
}

function resultOf(line: string): RunnerResult | null {
  if (FAILED.test(line)) return 'failed';
  if (ALL_SKIPPED.test(line)) return 'none';
  if (EMPTY.test(line) && !/\b[1-9]\d* pass/.test(line)) return 'none';
  return PASSED.test(line) || ALL_PASSED.test(line) ? 'passed' : null;
}

/** Line prefixes of monorepo runners: `│`, `web:test: `. */
const FRAME = /^(?:[│┃|]\s*|[\w@/.-]{1,60}:test[\w:-]{0,20}:\s+)/;

function worse(one: RunnerResult | undefined, other: RunnerResult): RunnerResult {
  if (one === 'failed' || other === 'failed') return 'failed';
  return one === 'passed' || other === 'passed' ? 'passed' : 'none';
}

/** The last line with this result; counts on several lines are joined: "12 pass, 2 fail". */
function countsOf(found: readonly SummaryLine[], result: RunnerResult): string | null {
  const counts = found.filter(({ family }) => family === 'bun').slice(-2);
  if (counts.length > 1) return counts.map(({ line }) => line.replace(/^[#ℹ] /, '')).join(', ');
  // The line of the last of many packages does not cover all.
  return found.findLast((one) => one.result === result && one.family !== 'go')?.line ?? null;
}
