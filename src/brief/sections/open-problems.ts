// Lists problems that are still open: tests that failed in their last run, and errors that nothing fixed. A later success
// of the same command, or of the same test runner, closes earlier problems.
import { type ObservationLine, parseShell } from '../../../projections/index.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence } from '../lines/brief-lines.ts';
import { foldNearDuplicates, normalize } from '../lines/near-duplicate-lines.ts';
import { essence, mayBeSameRunner, runnerOf, runnerWords, typed } from './run-commands.ts';

const ERROR_CHARS_MAX = 200;
const COMMAND_CHARS_MAX = 100;

interface Problem {
  readonly row: ObservationLine;
  readonly text: string;
  readonly name: string;
}

/**
 * Those of the newest turn: later turns may have fixed a problem of an older turn in another way.
 * @param observations newest first
 */
export function openProblems(observations: readonly ObservationLine[]): BriefLine[] {
  const tested: string[] = [];
  const ended = new Set<string>();
  const fixed = new Set<string>();
  const open: Problem[] = [];
  const wasTested = (what: string) => tested.some((one) => mayBeSameRunner(one, what));
  for (const row of observations) {
    const isSettled =
      row.commits.length > 0 || row.rewroteHistory || row.tests.some(({ after }) => after === 'passed');
    // After a commit, or any tests that passed, earlier failures may be fixed.
    if (isSettled || row.turn !== observations[0]!.turn || row.session !== observations[0]!.session) break;
    for (const { error, fixedBy } of row.errors) if (fixedBy !== null) fixed.add(normalize(error));
    for (const { command, after, runnerLine } of [...row.tests].reverse()) {
      const what = essence(command) || command;
      // Only the newest outcome of a runner counts.
      if (wasTested(what)) continue;
      tested.push(what);
      if (after === 'failed' && !mayHavePassed(row, what))
        open.push({ row, text: failedText(row, what, runnerLine), name: `test ${runnerOf(what)}` });
    }
    for (const { command, outcome } of row.commands)
      if (outcome === 'ok') ended.add(essence(command) || command);
    for (const { error, command } of row.errors) {
      const what = essence(command) || command;
      // In a chain it is not known which command failed.
      const isChain = parseShell(command).links.length > 1;
      if (isChain || fixed.has(normalize(error)) || ended.has(what) || wasTested(what)) continue;
      const text = `${clipSentence(error, ERROR_CHARS_MAX)} (on \`${clipSentence(typed(what), COMMAND_CHARS_MAX)}\`)`;
      open.push({ row, text, name: `error ${normalize(error)}` });
    }
  }
  return foldNearDuplicates(open, ({ name }) => [name]).map(({ one, nearDuplicates }) =>
    briefLine(one.row, { text: one.text, voice: 'record', nearDuplicates }),
  );
}

/** Whether the same tool ran again and passed, or ended unseen. */
function mayHavePassed({ commands }: ObservationLine, what: string): boolean {
  return commands.some(
    ({ command, outcome }) => outcome !== 'failed' && mayBeSameRunner(essence(command) || command, what),
  );
}

/** The test and, if known, the error it failed with; otherwise the runner's last line. */
function failedText(row: ObservationLine, what: string, runnerLine: string | null): string {
  const runner = runnerOf(what);
  const error = row.errors.find(
    ({ command, fixedBy }) => fixedBy === null && runnerOf(essence(command) || command) === runner,
  );
  const why = error?.error ?? runnerWords('failed', runnerLine);
  const because = why === null || why === undefined ? '' : `: ${clipSentence(why, ERROR_CHARS_MAX)}`;
  return `\`${clipSentence(typed(what), COMMAND_CHARS_MAX)}\` failed the last time its end was seen${because}`;
}
