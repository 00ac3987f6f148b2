// Finds the decisive line of an error: what is wrong, not merely that something failed or where. Many test runners print
// the failing test first and the reason below it.

import { runnerSummaryOf } from '../outcome/runner-summaries.ts';
import { plainMarkdown } from '../text/markdown.ts';
import { cutAtWord } from '../text/sentences.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';

const ERROR_LINE_CHARS_MAX = 220;
const TEXT_CHARS_READ = 5_000;
/** A longer line is data. */
const LINE_CHARS_MAX = 320;
const LINES_BELOW = 6;

/** The name of a failing test: Go, ExUnit, RSpec, mocha, pytest, jest, vitest, cargo. */
const FAILED_TEST =
  /^(?:--- FAIL: (\S+)|\d{1,3}\) (?:test )?(.{4,120})|FAILED (\S+::\S+)|(?:●|✕|×|✗) (.{4,160})|test (\S+) \.\.\. FAILED|\(fail\) (.{4,160}?)(?: \[[\d.]+m?s\])?$)/;
/** Says that something runs, passed or failed, but not what is wrong. */
const NOISE =
  /^(?:Exit code \d+$|Error: Exit code|Error Trace:|\[\w+\] (?:\$|ERROR)|ok\s|\?\s|PASS|FAIL(?:$|\s+\S+\s+[\d.(])|=== |--- PASS|[#>$] |<\/?tool_use_error>|(?:Checking|Compil\w+|Building|Running|Generated|Finished|Seed:|Excluding|warning)\b|Test: +\S|Messages: *$|at \S+ \()/;
/** States an error explicitly. */
const STRONG =
  /\w*(?:Error|Exception)\b: |\berror(?:\[\w+\])?: |\berror TS\d+|^fatal: |\bpanic(?:ked)?\b|^\*\* \(|\.\w{1,5}:\d+(?::\d+)?:? \S|^Assertion\b|^× |^\[[A-Z]+\] /;
const LIKELY =
  /\bundefined\b|cannot |can't |could not|not found|no such|unexpected|expected|denied|refused|missing|invalid|mismatch|not used|import cycle|is not |fail|error|exception/i;
const VAGUE_END = /(?:[:：]|Not equal:?)\s*$/i;

/** The decisive line; null when the error has no text. */
export function errorLineOf({ error, tail }: Pick<ToolUse, 'error' | 'tail'>): string | null {
  const lines = linesOf(error, tail);
  const test = lines.findIndex((line) => FAILED_TEST.test(line));
  if (test >= 0) return cutAtWord(failedTest(lines, test), ERROR_LINE_CHARS_MAX);
  const index = [STRONG, LIKELY].reduce(
    (found, sort) => (found >= 0 ? found : lines.findIndex((line) => sort.test(line))),
    -1,
  );
  const decisive = lines[Math.max(0, index)];
  return decisive === undefined ? null : cutAtWord(withReason(lines, index, decisive), ERROR_LINE_CHARS_MAX);
}

/**
 * The error line of a test run: the name of a failing test, a build error or an exception of the runner; else null. The
 * output of the tested code does not count.
 */
export function testErrorLineOf(toolUse: Pick<ToolUse, 'error' | 'tail'>): string | null {
  const lines = linesOf(toolUse.error, toolUse.tail);
  const test = lines.findIndex((line) => FAILED_TEST.test(line));
  if (test >= 0) return cutAtWord(failedTest(lines, test), ERROR_LINE_CHARS_MAX);
  const built = lines.find((line) => NOT_BUILT.test(line));
  if (built !== undefined) return cutAtWord(plainMarkdown(built), ERROR_LINE_CHARS_MAX);
  return runnerSummaryOf(`${toolUse.error}\n${toolUse.tail}`) === null &&
    lines.some((line) => THROWN.test(line))
    ? errorLineOf(toolUse)
    : null;
}

/** A compiler error with a position in a file. */
const NOT_BUILT =
  /^\S{1,160}\.\w{1,5}[:(]\d+[:,]\d+\)?:? (?:error|undefined|cannot|undeclared|syntax|expected|missing|invalid|too many|not enough|declared|imported|assignment)|^error(?:\[E\d+\]| TS\d+): |^\*\* \((?:Compile|Syntax|Token\w*)Error\)/;
/** An exception that ended the runner. */
const THROWN = /^(?:[\w.]*(?:Error|Exception)\b: |\*\* \(|E {3})/;

function linesOf(error: string, tail: string): string[] {
  // Some hosts pass on a hook's output with escaped line ends.
  const full = `${error.includes('\\n\\n') ? error.replaceAll('\\n', '\n') : error}\n${tail}`;
  const half = TEXT_CHARS_READ / 2;
  // Compilers print the error first, test runners last.
  const text = full.length <= TEXT_CHARS_READ ? full : `${full.slice(0, half)}\n${full.slice(-half)}`;
  const lines = text.split('\n').map((line) => line.replace(/^[\s✓✔☑•]+/, '').trimEnd());
  const words = lines.filter((line) => line.length > 3 && !NOISE.test(line) && /\p{L}{3}/u.test(line));
  const short = words.filter((line) => line.length <= LINE_CHARS_MAX);
  return short.length > 0 ? short : words;
}

/** "TestName: the first line below it that gives the reason". */
function failedTest(lines: readonly string[], at: number): string {
  const found = FAILED_TEST.exec(lines[at]!)!
    .slice(1)
    .find((one) => one !== undefined)!;
  // Remove the module that some runners print after the test's name.
  const name = found.replace(/\s*\([\w.]*\)?$/, '');
  const below = lines
    .slice(at + 1)
    .filter((line) => !FAILED_TEST.test(line))
    .slice(0, LINES_BELOW);
  const index = below.findIndex((line) => STRONG.test(line) || LIKELY.test(line));
  // Bun prints the reason above the name.
  const why = lines[at]!.startsWith('(fail)') ? undefined : below[index];
  return why === undefined
    ? `${plainMarkdown(name)} fails`
    : `${plainMarkdown(name)}: ${withReason(below, index, why)}`;
}

/** "Not equal:" says nothing without the two lines below it. */
function withReason(lines: readonly string[], index: number, decisive: string): string {
  const text = VAGUE_END.test(decisive)
    ? [decisive, ...lines.slice(index + 1, index + 3).filter((line) => line !== decisive)].join(' ')
    : decisive;
  return plainMarkdown(text);
}
