// The rules read what tools print and people paste: their work grows no faster than a text, whatever it is made of.
// Measured in processor time, as a ratio in one run and the best of several, so that a busy machine changes nothing.
import { expect, it } from 'vitest';
import { commitsOf, mayDropCommits, quietCommitsOf } from '../../../projections/memory/rules/commits.ts';
import { gistOf, testGistOf } from '../../../projections/memory/rules/gist.ts';
import { instructionsIn } from '../../../projections/memory/rules/instructions.ts';
import { isPlan, planName } from '../../../projections/memory/rules/plans.ts';
import { pullRequestsOf, pushesOf } from '../../../projections/memory/rules/shares.ts';
import { parseShell } from '../../../projections/memory/rules/shell.ts';
import type { Use } from '../../../projections/memory/rules/story.ts';
import { closingWordsOf } from '../../../projections/memory/rules/test-closings.ts';
import { testRunsIn } from '../../../projections/memory/rules/test-commands.ts';
import { endedTests, endOf } from '../../../projections/memory/rules/test-outcome.ts';

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
/** Quadratic would be 64 times as long. */
const RATIO_MAX = 28;
/** Below this a ratio says nothing. */
const MICROSECONDS_MIN = 20_000;
const TRIES = 6;

let tried = 0;

function microseconds(work: (text: string) => unknown, start: string, piece: string, length: number): number {
  // Another text each time: what was parsed once is remembered.
  const text = `${start}${piece.repeat(Math.ceil(length / piece.length))}!${tried++}`;
  const before = process.cpuUsage();
  work(text);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function useOf(whole: string): Use {
  const command = { whole, short: whole.slice(0, 160), purpose: 'test' } as Use['command'];
  const none = { id: '', at: null, order: '', events: [], name: 'Bash', input: {} };
  return { ...none, outcome: 'ok', error: whole.slice(0, 4_000), tail: whole.slice(0, 4_000), command };
}

it.each<[string, (text: string) => unknown]>([
  ['the runs of tests in a command', testRunsIn],
  ['the closing words of a run', closingWordsOf],
  ['a command taken apart', parseShell],
  ['instructions', instructionsIn],
  ['plans', (text) => [isPlan(text), planName(text)]],
  ['commits', (text) => [commitsOf(useOf(text)), quietCommitsOf(useOf(text)), mayDropCommits(text)]],
  ['pushes and pull requests', (text) => [pushesOf(useOf(text)), pullRequestsOf(useOf(text))]],
  ['how tests ended', (text) => [endedTests(useOf(text)), endOf(useOf(text))]],
  ['gists', (text) => [testGistOf(useOf(text)), gistOf(useOf(text))]],
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
