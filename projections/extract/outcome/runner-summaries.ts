// Parses the summary lines of test runners. This is the only file that knows their formats. Only a runner's own summary
// line counts, not the output of the tested program.
import { stripVTControlCharacters } from 'node:util';
import type { TestOutcome } from '../transcript/observation.ts';

/** none: the runner ran without any test. */
type RunnerResult = TestOutcome | 'none';

interface SummaryLine {
  readonly family: string;
  readonly line: RegExp;
  readonly result: (found: RegExpExecArray) => RunnerResult | null;
  /** This line alone does not prove success: another line may contradict it. */
  readonly partial?: true;
}

const failed = () => 'failed' as const;
const passed = () => 'passed' as const;
const none = () => 'none' as const;
/** Result by two capture groups: the counts of passed and failed tests. */
const counted =
  (good: number, bad: number) =>
  (found: RegExpExecArray): RunnerResult => {
    if (Number(found[bad] ?? 0) > 0) return 'failed';
    return Number(found[good] ?? 0) > 0 ? 'passed' : 'none';
  };
/** Result by the words of a line: "2 failed, 3 passed". */
const worded = ({ input: line }: RegExpExecArray): RunnerResult => {
  if (/\b[1-9]\d* (?:failed|failures?|errors?|timed out|broken)\b/i.test(line)) return 'failed';
  return /\b[1-9]\d* (?:passed|succeeded|successful)\b/i.test(line) ? 'passed' : 'none';
};

const SUMMARY_LINES: readonly SummaryLine[] = [
  { family: 'jest', line: /^(?:Tests|Snapshots):\s+\d.*\btotal$/, result: worded, partial: true },
  { family: 'jest', line: /^Test Suites:\s+\d.*\btotal$/, result: worded },
  { family: 'vitest', line: /^Tests\s+(?:\d+ [a-z]+(?: \| )?)+\s*\(\d+\)$/, result: worded, partial: true },
  { family: 'vitest', line: /^Test Files\s+(?:\d+ [a-z]+(?: \| )?)+\s*\(\d+\)$/, result: worded },
  { family: 'vitest', line: /^Errors\s+\d+ errors?$/, result: failed },
  { family: 'mocha', line: /^[1-9]\d* passing\b/, result: passed, partial: true },
  { family: 'mocha', line: /^0 passing\b/, result: none },
  { family: 'mocha', line: /^[1-9]\d* failing$/, result: failed },
  { family: 'node', line: /^(?:#|ℹ) pass [1-9]\d*$/, result: passed, partial: true },
  {
    family: 'node',
    line: /^(?:#|ℹ) fail (\d+)$/,
    result: ([, bad]) => (Number(bad) > 0 ? 'failed' : 'passed'),
  },
  { family: 'node', line: /^(?:#|ℹ) (?:tests|pass) 0$/, result: none },
  { family: 'bun', line: /^[1-9]\d* pass$/, result: passed, partial: true },
  { family: 'bun', line: /^0 pass$/, result: none },
  { family: 'bun', line: /^0 fail$/, result: passed },
  { family: 'bun', line: /^[1-9]\d* fail$/, result: failed },
  { family: 'bun', line: /^[1-9]\d* errors?$/, result: failed },
  { family: 'bun', line: /^Ran 0 tests\b/, result: none },
  {
    family: 'pytest',
    line: /^(?:=+ )?(?:\d+ \w+, )*\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)(?:, \d+ \w+)* in [\d.]+s\b/,
    result: worded,
  },
  { family: 'pytest', line: /^(?:=+ )?no tests ran in /, result: none },
  {
    family: 'go',
    line: /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\])/,
    result: passed,
    partial: true,
  },
  { family: 'go', line: /^ok\s+\S+\s.*\[no tests to run\]/, result: none },
  { family: 'go', line: /^FAIL(?:\s+\S+\s+(?:[\d.]+s|\[[a-z ]+\]))?$/, result: failed },
  { family: 'gotestsum', line: /^DONE \d+ tests?(?:, \d+ skipped)? in /, result: passed },
  { family: 'gotestsum', line: /^DONE \d+ tests?,.*\b(?:failures?|errors?)\b/, result: failed },
  {
    family: 'cargo',
    line: /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed/,
    result: counted(1, 2),
  },
  {
    family: 'cargo',
    line: /^error: (?:test failed, to rerun|\d+ targets? failed|doctest failed|could not compile)/,
    result: failed,
  },
  { family: 'nextest', line: /^Summary \[\s*[\d.]+s\]\s+[\d/]+ tests? run: \d/, result: worded },
  {
    family: 'rspec',
    line: /^(\d+) examples?, (\d+) failures?(?!.*\berrors? occurred)/,
    result: counted(1, 2),
  },
  { family: 'rspec', line: /^\d+ examples?, .*\berrors? occurred outside/, result: failed },
  {
    family: 'minitest',
    line: /^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, 0 errors/,
    result: counted(1, 2),
  },
  {
    family: 'minitest',
    line: /^\d+ (?:runs|tests), \d+ assertions, \d+ failures, [1-9]\d* errors/,
    result: failed,
  },
  {
    family: 'exunit',
    line: /^(?:\d+ (?:doctests?|propert(?:y|ies)), )*(\d+) tests?, (\d+) failures?\b/,
    result: counted(1, 2),
    partial: true,
  },
  {
    family: 'phpunit',
    line: /^OK(?: \([1-9]\d* tests?, |, but (?:incomplete|some|there were))/,
    result: passed,
  },
  { family: 'phpunit', line: /^(?:FAILURES|ERRORS)!$/, result: failed },
  { family: 'phpunit', line: /^Tests: \d+, Assertions: \d+.*\b(?:Failures|Errors): [1-9]/, result: failed },
  { family: 'pest', line: /^Tests:\s+(?:\d+ \w+, )*\d+ \w+ \(\d+ assertions?\)$/, result: worded },
  { family: 'gradle', line: /^BUILD SUCCESSFUL in /, result: passed },
  { family: 'gradle', line: /^BUILD FAILED(?: in .*)?$/, result: failed },
  { family: 'maven', line: /^(?:\[INFO\] )?BUILD SUCCESS$/, result: passed },
  { family: 'maven', line: /^(?:\[\w+\] )?BUILD FAILURE$/, result: failed },
  {
    family: 'dotnet',
    line: /^(?:Passed|Failed)!\s+- Failed:\s+(\d+), Passed:\s+(\d+)/,
    result: counted(2, 1),
    partial: true,
  },
  {
    family: 'dotnet',
    line: /^Test summary: total: \d+[,;] failed: (\d+)[,;] succeeded: (\d+)/,
    result: counted(2, 1),
  },
  { family: 'dotnet', line: /^Test Run Successful\.$/, result: passed },
  { family: 'dotnet', line: /^Test Run (?:Failed|Aborted)\.$/, result: failed },
  {
    family: 'ctest',
    line: /^\d+% tests passed, (\d+) tests? failed out of [1-9]/,
    result: ([, bad]) => (Number(bad) > 0 ? 'failed' : 'passed'),
  },
  { family: 'deno', line: /^(?:ok|FAILED) \| (\d+) passed.*?\| (\d+) failed/, result: counted(1, 2) },
  { family: 'ava', line: /^[1-9]\d* tests? passed$/, result: passed, partial: true },
  {
    family: 'ava',
    line: /^[1-9]\d* (?:tests?|uncaught exceptions?|unhandled rejections?) failed$/,
    result: failed,
  },
  { family: 'playwright', line: /^[1-9]\d* passed \([\d.]+\w+\)$/, result: passed, partial: true },
  { family: 'playwright', line: /^[1-9]\d* (?:failed|flaky|interrupted|did not run)$/, result: failed },
  { family: 'cypress', line: /^✔\s+All specs passed!/, result: passed },
  { family: 'cypress', line: /^✖\s+\d+ of \d+ failed/, result: failed },
  { family: 'unittest', line: /^OK(?: \((?:skipped|expected)[^)]*\))?$/, result: passed },
  { family: 'unittest', line: /^FAILED \((?:failures|errors|unexpected)/, result: failed },
  { family: 'unittest', line: /^Ran 0 tests in /, result: none },
  { family: 'swift', line: /^Executed (\d+) tests?, with (\d+) failures?/, result: counted(1, 2) },
  {
    family: 'swift-testing',
    line: /^\S*\s*Test run with [1-9]\d* tests? (?:in \d+ suites? )?(passed|failed)/,
    result: ([, word]) => word as TestOutcome,
  },
  { family: 'xcode', line: /^\*\* TEST SUCCEEDED \*\*/, result: passed },
  { family: 'xcode', line: /^\*\* TEST FAILED \*\*/, result: failed },
  { family: 'flutter', line: /^(?:\S+ \+\d+(?: ~\d+)?: )?All tests passed!$/, result: passed },
  { family: 'flutter', line: /^(?:\S+ \+\d+(?: ~\d+)? -\d+: )?Some tests failed\.$/, result: failed },
  { family: 'turbo', line: /^Tasks:\s+(\d+) successful, \1 total$/, result: passed },
  { family: 'turbo', line: /^(?:Failed:\s+\S+#\S+|ERROR\s+run failed)/, result: failed },
  { family: 'nx', line: /^(?:✔|NX)?\s*Successfully ran targets? test\b/, result: passed },
  { family: 'nx', line: /^(?:✖|NX)?\s*Ran(?:ning)? targets? test\b.*failed/, result: failed },
  { family: 'tox', line: /^congratulations :\)/, result: passed },
  { family: 'tox', line: /^evaluation failed :\(/, result: failed },
  {
    family: 'bats',
    line: /^[1-9]\d* tests?, (\d+) failures?$/,
    result: ([, bad]) => (Number(bad) > 0 ? 'failed' : 'passed'),
  },
  { family: 'prove', line: /^Result: PASS$/, result: passed },
  { family: 'prove', line: /^Result: FAIL$/, result: failed },
  {
    family: 'empty',
    line: /^(?:no test files? found|no tests? found|no tests? to run|testing: warning: no tests to run|there are no tests)/i,
    result: none,
  },
];

/** Tools that run several runners; only their own summary covers all of them. */
const WRAPPING = new Set(['turbo', 'nx', 'tox', 'gradle', 'maven']);
const LINE_CHARS_MAX = 240;
const TEXT_CHARS_READ = 12_000;

export interface RunnerSummary {
  /** null when the summaries contradict each other. */
  readonly result: RunnerResult | null;
  /** All lines are partial: they do not prove success alone. */
  readonly partial: boolean;
  /** Number of different runners that finished. */
  readonly families: number;
  /** The summary line; null when no line covers the whole run. */
  readonly line: string | null;
}

/** null when the text has no summary line. */
export function runnerSummaryOf(text: string): RunnerSummary | null {
  const found: { family: string; result: RunnerResult; partial: boolean; line: string }[] = [];
  for (const raw of stripVTControlCharacters(text.slice(-TEXT_CHARS_READ)).split('\n')) {
    if (raw.length > LINE_CHARS_MAX) continue;
    const line = raw.trim().replace(FRAME, '');
    const first = line.charCodeAt(0);
    if (Number.isNaN(first)) continue;
    for (const { family, line: pattern, result, partial } of SUMMARY_LINES) {
      const match = pattern.exec(line);
      const says = match === null ? null : result(match);
      if (says !== null) found.push({ family, result: says, partial: partial === true, line });
    }
  }
  if (found.length === 0) return null;
  const own = found.filter(({ family }) => WRAPPING.has(family));
  const counted = own.length > 0 ? own : found;
  const families = new Map<string, RunnerResult>();
  for (const { family, result } of counted) families.set(family, worse(families.get(family), result));
  for (const [family, result] of families)
    if (result === 'passed' && isEmpty(counted, family)) families.set(family, 'none');
  families.delete(families.size > 1 ? 'empty' : '');
  const results = new Set(families.values());
  const [result] = results;
  // The line of the last of many packages does not cover all.
  const line = counted.findLast((one) => one.result === result && one.family !== 'go')?.line ?? null;
  return {
    result: results.size === 1 ? result! : null,
    partial: counted.every(({ partial, result }) => partial || result === 'none'),
    families: families.size,
    line: countsOf(counted, result) ?? line,
  };
}

/** Whether all tests of a runner were skipped: none failed, but none passed either. */
function isEmpty(
  found: readonly { readonly family: string; readonly result: RunnerResult; readonly line: string }[],
  family: string,
): boolean {
  const own = found.filter((one) => one.family === family);
  return (
    own.some(({ result }) => result === 'none') &&
    own.every(({ result, line }) => result !== 'passed' || NONE_FAILED.test(line))
  );
}

const NONE_FAILED = /^(?:[#ℹ] fail 0|0 fail)$/;

/** Line prefixes of monorepo runners: `│`, `web:test: `. */
const FRAME = /^(?:[│┃|]\s*|[\w@/.-]{1,60}:test[\w:-]{0,20}:\s+)/;

function worse(one: RunnerResult | undefined, other: RunnerResult): RunnerResult {
  if (one === 'failed' || other === 'failed') return 'failed';
  return one === 'passed' || other === 'passed' ? 'passed' : 'none';
}

/** Joins counts that are on two lines: "12 pass, 0 fail". */
function countsOf(
  found: readonly { readonly family: string; readonly line: string }[],
  result: RunnerResult | undefined,
): string | null {
  const pair = found.filter(({ family, line }) => /^(?:bun|node|mocha)$/.test(family) && /\d/.test(line));
  if (pair.length < 2 || result === undefined) return null;
  return pair
    .slice(-2)
    .map(({ line }) => line.replace(/^[#ℹ] /, ''))
    .join(', ');
}
