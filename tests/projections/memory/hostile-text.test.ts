// The rules read tool output and pasted text: their time must grow linearly with the text, whatever it contains.
// Measured in processor time, as a ratio within one run and the best of several, so that load does not matter.
import { expect, it } from 'vitest';
import { errorLineOf, testErrorLineOf } from '../../../projections/extract/evidence/error-line.ts';
import { commitsOf } from '../../../projections/extract/outcome/commits.ts';
import { pullRequestsOf, pushesOf } from '../../../projections/extract/outcome/pushes.ts';
import { mayDropCommits } from '../../../projections/extract/outcome/rewrites.ts';
import { runnerSummaryOf } from '../../../projections/extract/outcome/runner-summaries.ts';
import { commandEnd, endedTests } from '../../../projections/extract/outcome/test-outcome.ts';
import { parseShell } from '../../../projections/extract/shell/shell.ts';
import { testRunsIn } from '../../../projections/extract/shell/test-commands.ts';
import { isPlan, planName } from '../../../projections/extract/text/plans.ts';
import type { ToolUse } from '../../../projections/extract/transcript/turn-transcript.ts';

const PIECES = [
  ...['git commit ', 'npm test ', '--a ', 'env ', 'a=b ', 'git ', 'rebase ', 'commit git '],
  ...['"', "'", '$(', '(', '<<E\n', '`', '\\', '# ', '=', '-', '} ', ' ', '\n', '\t\n'],
  ...['a | ', 'a || ', 'a && ', 'a; ', 'a & ', 'a\n'],
  ...['1 passed, ', '1 11', 'no ', 'Error: ', 'ok  ', ':1', 'x.y', 'FAIL ', '● ', 'tests? '],
  ...['[main ', 'abc1234', 'a/', 'https://'],
];
const STARTS = ['', 'git commit -m "', 'npm test '];
const SHORT = 1_000;
const TIMES = 8;
/** Quadratic time would give a ratio of 64. */
const RATIO_MAX = 28;
/** Below this the ratio is noise. */
const MICROSECONDS_MIN = 20_000;
const TRIES = 6;

let tried = 0;

function microseconds(work: (text: string) => unknown, start: string, piece: string, length: number): number {
  // Another text each time, because parsed texts are cached.
  const text = `${start}${piece.repeat(Math.ceil(length / piece.length))}!${tried++}`;
  const before = process.cpuUsage();
  work(text);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function useOf(whole: string): ToolUse {
  const command = { whole, short: whole.slice(0, 160), purpose: 'test' } as ToolUse['command'];
  const none = { id: '', at: null, order: '', events: [], name: 'Bash', input: {} };
  return {
    ...none,
    ofSubagent: false,
    outcome: 'ok',
    error: whole.slice(0, 4_000),
    tail: whole.slice(0, 4_000),
    lines: 0,
    printedFailure: false,
    command,
  };
}

it.each<[string, (text: string) => unknown]>([
  ['the runs of tests in a command', testRunsIn],
  ['the summary line of a run', runnerSummaryOf],
  ['parsing a command', parseShell],
  ['plans', (text) => [isPlan(text), planName(text)]],
  ['commits', (text) => [commitsOf(useOf(text)), mayDropCommits(text)]],
  ['pushes and pull requests', (text) => [pushesOf(useOf(text)), pullRequestsOf(useOf(text))]],
  ['how tests ended', (text) => [endedTests(useOf(text)), commandEnd(useOf(text))]],
  ['error lines', (text) => [testErrorLineOf(useOf(text)), errorLineOf(useOf(text))]],
])('Linear in the length of a text: %s', (_, work) => {
  for (const start of STARTS)
    for (const piece of PIECES) {
      const isLinear = () => {
        const long = microseconds(work, start, piece, SHORT * TIMES);
        return (
          long < MICROSECONDS_MIN || long < RATIO_MAX * Math.max(1, microseconds(work, start, piece, SHORT))
        );
      };
      const ends = Array.from({ length: TRIES }).some(isLinear);
      expect(ends, JSON.stringify(start + piece)).toBe(true);
    }
});
