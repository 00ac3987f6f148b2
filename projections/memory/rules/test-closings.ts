// What test runners say at their end, line by line: the one place that knows their forms. Only a runner's own closing
// line counts; what a tested program prints in between says nothing.
import { stripVTControlCharacters } from 'node:util';
import type { TestOutcome } from '../observation.ts';

/** none: it ran, and there was no test. */
type Verdict = TestOutcome | 'none';

interface Closing {
  readonly family: string;
  readonly line: RegExp;
  readonly verdict: (found: RegExpExecArray) => Verdict | null;
  /** One such line alone does not say that all went well: another line or a later one may say otherwise. */
  readonly partial?: true;
}

const failed = () => 'failed' as const;
const passed = () => 'passed' as const;
const none = () => 'none' as const;
/** By two counts: what passed, what failed. */
const counted =
  (good: number, bad: number) =>
  (found: RegExpExecArray): Verdict => {
    if (Number(found[bad] ?? 0) > 0) return 'failed';
    return Number(found[good] ?? 0) > 0 ? 'passed' : 'none';
  };
/** By the words of a line: "2 failed, 3 passed". */
const worded = ({ input: line }: RegExpExecArray): Verdict => {
  if (/\b[1-9]\d* (?:failed|failures?|errors?|timed out|broken)\b/i.test(line)) return 'failed';
  return /\b[1-9]\d* (?:passed|succeeded|successful)\b/i.test(line) ? 'passed' : 'none';
};

const CLOSINGS: readonly Closing[] = [
  { family: 'jest', line: /^(?:Tests|Snapshots):\s+\d.*\btotal$/, verdict: worded, partial: true },
  { family: 'jest', line: /^Test Suites:\s+\d.*\btotal$/, verdict: worded },
  { family: 'vitest', line: /^Tests\s+(?:\d+ [a-z]+(?: \| )?)+\s*\(\d+\)$/, verdict: worded, partial: true },
  { family: 'vitest', line: /^Test Files\s+(?:\d+ [a-z]+(?: \| )?)+\s*\(\d+\)$/, verdict: worded },
  { family: 'vitest', line: /^Errors\s+\d+ errors?$/, verdict: failed },
  { family: 'mocha', line: /^[1-9]\d* passing\b/, verdict: passed, partial: true },
  { family: 'mocha', line: /^0 passing\b/, verdict: none },
  { family: 'mocha', line: /^[1-9]\d* failing$/, verdict: failed },
  { family: 'node', line: /^(?:#|ℹ) pass [1-9]\d*$/, verdict: passed, partial: true },
  {
    family: 'node',
    line: /^(?:#|ℹ) fail (\d+)$/,
    verdict: ([, bad]) => (Number(bad) > 0 ? 'failed' : 'passed'),
  },
  { family: 'node', line: /^(?:#|ℹ) (?:tests|pass) 0$/, verdict: none },
  { family: 'bun', line: /^[1-9]\d* pass$/, verdict: passed, partial: true },
  { family: 'bun', line: /^0 pass$/, verdict: none },
  { family: 'bun', line: /^0 fail$/, verdict: passed },
  { family: 'bun', line: /^[1-9]\d* fail$/, verdict: failed },
  { family: 'bun', line: /^[1-9]\d* errors?$/, verdict: failed },
  { family: 'bun', line: /^Ran 0 tests\b/, verdict: none },
  {
    family: 'pytest',
    line: /^(?:=+ )?(?:\d+ \w+, )*\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)(?:, \d+ \w+)* in [\d.]+s\b/,
    verdict: worded,
  },
  { family: 'pytest', line: /^(?:=+ )?no tests ran in /, verdict: none },
  {
    family: 'go',
    line: /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\])/,
    verdict: passed,
    partial: true,
  },
  { family: 'go', line: /^ok\s+\S+\s.*\[no tests to run\]/, verdict: none },
  { family: 'go', line: /^FAIL(?:\s+\S+\s+(?:[\d.]+s|\[[a-z ]+\]))?$/, verdict: failed },
  { family: 'gotestsum', line: /^DONE \d+ tests?(?:, \d+ skipped)? in /, verdict: passed },
  { family: 'gotestsum', line: /^DONE \d+ tests?,.*\b(?:failures?|errors?)\b/, verdict: failed },
  {
    family: 'cargo',
    line: /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed/,
    verdict: counted(1, 2),
  },
  {
    family: 'cargo',
    line: /^error: (?:test failed, to rerun|\d+ targets? failed|doctest failed|could not compile)/,
    verdict: failed,
  },
  { family: 'nextest', line: /^Summary \[\s*[\d.]+s\]\s+[\d/]+ tests? run: \d/, verdict: worded },
  {
    family: 'rspec',
    line: /^(\d+) examples?, (\d+) failures?(?!.*\berrors? occurred)/,
    verdict: counted(1, 2),
  },
  { family: 'rspec', line: /^\d+ examples?, .*\berrors? occurred outside/, verdict: failed },
  {
    family: 'minitest',
    line: /^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, 0 errors/,
    verdict: counted(1, 2),
  },
  {
    family: 'minitest',
    line: /^\d+ (?:runs|tests), \d+ assertions, \d+ failures, [1-9]\d* errors/,
    verdict: failed,
  },
  {
    family: 'exunit',
    line: /^(?:\d+ (?:doctests?|propert(?:y|ies)), )*(\d+) tests?, (\d+) failures?\b/,
    verdict: counted(1, 2),
    partial: true,
  },
  {
    family: 'phpunit',
    line: /^OK(?: \([1-9]\d* tests?, |, but (?:incomplete|some|there were))/,
    verdict: passed,
  },
  { family: 'phpunit', line: /^(?:FAILURES|ERRORS)!$/, verdict: failed },
  { family: 'phpunit', line: /^Tests: \d+, Assertions: \d+.*\b(?:Failures|Errors): [1-9]/, verdict: failed },
  { family: 'pest', line: /^Tests:\s+(?:\d+ \w+, )*\d+ \w+ \(\d+ assertions?\)$/, verdict: worded },
  { family: 'gradle', line: /^BUILD SUCCESSFUL in /, verdict: passed },
  { family: 'gradle', line: /^BUILD FAILED(?: in .*)?$/, verdict: failed },
  { family: 'maven', line: /^(?:\[INFO\] )?BUILD SUCCESS$/, verdict: passed },
  { family: 'maven', line: /^(?:\[\w+\] )?BUILD FAILURE$/, verdict: failed },
  {
    family: 'dotnet',
    line: /^(?:Passed|Failed)!\s+- Failed:\s+(\d+), Passed:\s+(\d+)/,
    verdict: counted(2, 1),
    partial: true,
  },
  {
    family: 'dotnet',
    line: /^Test summary: total: \d+[,;] failed: (\d+)[,;] succeeded: (\d+)/,
    verdict: counted(2, 1),
  },
  { family: 'dotnet', line: /^Test Run Successful\.$/, verdict: passed },
  { family: 'dotnet', line: /^Test Run (?:Failed|Aborted)\.$/, verdict: failed },
  {
    family: 'ctest',
    line: /^\d+% tests passed, (\d+) tests? failed out of [1-9]/,
    verdict: ([, bad]) => (Number(bad) > 0 ? 'failed' : 'passed'),
  },
  { family: 'deno', line: /^(?:ok|FAILED) \| (\d+) passed.*?\| (\d+) failed/, verdict: counted(1, 2) },
  { family: 'ava', line: /^[1-9]\d* tests? passed$/, verdict: passed, partial: true },
  {
    family: 'ava',
    line: /^[1-9]\d* (?:tests?|uncaught exceptions?|unhandled rejections?) failed$/,
    verdict: failed,
  },
  { family: 'playwright', line: /^[1-9]\d* passed \([\d.]+\w+\)$/, verdict: passed, partial: true },
  { family: 'playwright', line: /^[1-9]\d* (?:failed|flaky|interrupted|did not run)$/, verdict: failed },
  { family: 'cypress', line: /^✔\s+All specs passed!/, verdict: passed },
  { family: 'cypress', line: /^✖\s+\d+ of \d+ failed/, verdict: failed },
  { family: 'unittest', line: /^OK(?: \((?:skipped|expected)[^)]*\))?$/, verdict: passed },
  { family: 'unittest', line: /^FAILED \((?:failures|errors|unexpected)/, verdict: failed },
  { family: 'unittest', line: /^Ran 0 tests in /, verdict: none },
  { family: 'swift', line: /^Executed (\d+) tests?, with (\d+) failures?/, verdict: counted(1, 2) },
  {
    family: 'swift-testing',
    line: /^\S*\s*Test run with [1-9]\d* tests? (?:in \d+ suites? )?(passed|failed)/,
    verdict: ([, word]) => word as TestOutcome,
  },
  { family: 'xcode', line: /^\*\* TEST SUCCEEDED \*\*/, verdict: passed },
  { family: 'xcode', line: /^\*\* TEST FAILED \*\*/, verdict: failed },
  { family: 'flutter', line: /^(?:\S+ \+\d+(?: ~\d+)?: )?All tests passed!$/, verdict: passed },
  { family: 'flutter', line: /^(?:\S+ \+\d+(?: ~\d+)? -\d+: )?Some tests failed\.$/, verdict: failed },
  { family: 'turbo', line: /^Tasks:\s+(\d+) successful, \1 total$/, verdict: passed },
  { family: 'turbo', line: /^(?:Failed:\s+\S+#\S+|ERROR\s+run failed)/, verdict: failed },
  { family: 'nx', line: /^(?:✔|NX)?\s*Successfully ran targets? test\b/, verdict: passed },
  { family: 'nx', line: /^(?:✖|NX)?\s*Ran(?:ning)? targets? test\b.*failed/, verdict: failed },
  { family: 'tox', line: /^congratulations :\)/, verdict: passed },
  { family: 'tox', line: /^evaluation failed :\(/, verdict: failed },
  {
    family: 'bats',
    line: /^[1-9]\d* tests?, (\d+) failures?$/,
    verdict: ([, bad]) => (Number(bad) > 0 ? 'failed' : 'passed'),
  },
  { family: 'prove', line: /^Result: PASS$/, verdict: passed },
  { family: 'prove', line: /^Result: FAIL$/, verdict: failed },
  {
    family: 'empty',
    line: /^(?:no test files? found|no tests? found|no tests? to run|testing: warning: no tests to run|there are no tests)/i,
    verdict: none,
  },
];

/** One task runs many runners: none of their closing lines speaks for all. */
const WRAPPING = new Set(['turbo', 'nx', 'tox', 'gradle', 'maven']);
const LINE_CHARS_MAX = 240;
const TEXT_CHARS_READ = 12_000;

export interface ClosingWords {
  /** null: they contradict each other. */
  readonly verdict: Verdict | null;
  /** Only lines that alone say little. */
  readonly partial: boolean;
  /** How often a runner came to its end; a runner that prints several lines counts once. */
  readonly families: number;
  /** The line that says it; null where there is none for the whole. */
  readonly line: string | null;
}

/** null where no runner's closing line is in the text. */
export function closingWordsOf(text: string): ClosingWords | null {
  const found: { family: string; verdict: Verdict; partial: boolean; line: string }[] = [];
  for (const raw of stripVTControlCharacters(text.slice(-TEXT_CHARS_READ)).split('\n')) {
    if (raw.length > LINE_CHARS_MAX) continue;
    const line = raw.trim().replace(FRAME, '');
    const first = line.charCodeAt(0);
    if (Number.isNaN(first)) continue;
    for (const { family, line: pattern, verdict, partial } of CLOSINGS) {
      const match = pattern.exec(line);
      const says = match === null ? null : verdict(match);
      if (says !== null) found.push({ family, verdict: says, partial: partial === true, line });
    }
  }
  if (found.length === 0) return null;
  const own = found.filter(({ family }) => WRAPPING.has(family));
  const told = own.length > 0 ? own : found;
  const families = new Map<string, Verdict>();
  for (const { family, verdict } of told) families.set(family, worse(families.get(family), verdict));
  for (const [family, verdict] of families)
    if (verdict === 'passed' && isEmpty(told, family)) families.set(family, 'none');
  families.delete(families.size > 1 ? 'empty' : '');
  const verdicts = new Set(families.values());
  const [verdict] = verdicts;
  // The last of many packages does not speak for all.
  const line = told.findLast((one) => one.verdict === verdict && one.family !== 'go')?.line ?? null;
  return {
    verdict: verdicts.size === 1 ? verdict! : null,
    partial: told.every(({ partial, verdict }) => partial || verdict === 'none'),
    families: families.size,
    line: countsOf(told, verdict) ?? line,
  };
}

/** That none failed says nothing where none passed: all were skipped. */
function isEmpty(
  found: readonly { readonly family: string; readonly verdict: Verdict; readonly line: string }[],
  family: string,
): boolean {
  const own = found.filter((one) => one.family === family);
  return (
    own.some(({ verdict }) => verdict === 'none') &&
    own.every(({ verdict, line }) => verdict !== 'passed' || NONE_FAILED.test(line))
  );
}

const NONE_FAILED = /^(?:[#ℹ] fail 0|0 fail)$/;

/** What runners of a monorepo print before their lines: `│`, `web:test: `. */
const FRAME = /^(?:[│┃|]\s*|[\w@/.-]{1,60}:test[\w:-]{0,20}:\s+)/;

function worse(one: Verdict | undefined, other: Verdict): Verdict {
  if (one === 'failed' || other === 'failed') return 'failed';
  return one === 'passed' || other === 'passed' ? 'passed' : 'none';
}

/** Counts stand on two lines: "12 pass, 0 fail". */
function countsOf(
  found: readonly { readonly family: string; readonly line: string }[],
  verdict: Verdict | undefined,
): string | null {
  const pair = found.filter(({ family, line }) => /^(?:bun|node|mocha)$/.test(family) && /\d/.test(line));
  if (pair.length < 2 || verdict === undefined) return null;
  return pair
    .slice(-2)
    .map(({ line }) => line.replace(/^[#ℹ] /, ''))
    .join(', ');
}
