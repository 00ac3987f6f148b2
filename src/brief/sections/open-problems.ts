// Lists problems that are still open: tests that failed in their last run, and errors that nothing fixed. A later success
// of the same command, or of the same test runner, closes earlier problems.
import { type ObservationLine, parseShell } from '../../../projections/index.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence } from '../lines/brief-lines.ts';
import { foldNearDuplicates, normalize } from '../lines/near-duplicate-lines.ts';
import { essence, runnerOf, runnerWords } from './run-commands.ts';

const ERROR_CHARS_MAX = 200;
const COMMAND_CHARS_MAX = 100;
/** A problem older than this, relative to the newest observation, is dropped. */
const OPEN_MS_MAX = 30 * 86_400_000;

interface Problem {
  readonly row: ObservationLine;
  readonly text: string;
  readonly name: string;
}

/** @param observations newest first */
export function openProblems(observations: readonly ObservationLine[]): BriefLine[] {
  const seen = {
    runners: new Set<string>(),
    ended: new Set<string>(),
    fixed: new Set<string>(),
  };
  const open: Problem[] = [];
  const newest = observations[0]?.at ?? 0;
  let settled = false;
  for (const row of observations) {
    if (newest - (row.at ?? 0) > OPEN_MS_MAX) break;
    // A commit, or any tests that passed: earlier failures may be fixed since.
    settled ||=
      row.commits.length > 0 || row.rewroteHistory || row.tests.some(({ after }) => after === 'passed');
    // Later turns may have fixed a problem of an older turn in another way.
    if (settled || row.turn !== observations[0]?.turn || row.session !== observations[0].session) break;
    for (const { error, fixedBy } of row.errors) if (fixedBy !== null) seen.fixed.add(normalize(error));
    for (const { command, after, runnerLine } of [...row.tests].reverse()) {
      const what = essence(command) || command;
      const runner = runnerOf(what);
      // Only the newest outcome of a runner counts.
      if (seen.runners.has(runner)) continue;
      seen.runners.add(runner);
      if (after === 'failed' && !mayHavePassed(row, runner))
        open.push({ row, text: failedText(row, what, runnerLine), name: `test ${runner}` });
    }
    for (const { error, command, fixedBy } of row.errors) {
      const what = essence(command) || command;
      const runner = runnerOf(what);
      const closed =
        fixedBy !== null ||
        // In a chain it is not known which command failed.
        parseShell(command).links.length > 1 ||
        seen.fixed.has(normalize(error)) ||
        seen.ended.has(what) ||
        endedWell(row, what) ||
        // A later run of that tool shows the current state.
        seen.runners.has(runner);
      if (closed) continue;
      const text = `${clipSentence(error, ERROR_CHARS_MAX)} (on \`${clipSentence(what, COMMAND_CHARS_MAX)}\`)`;
      open.push({ row, text, name: `error ${normalize(error)}` });
    }
    for (const { command, outcome } of row.commands)
      if (outcome === 'ok') seen.ended.add(essence(command) || command);
  }
  return foldNearDuplicates(open, ({ name }) => [name]).map(({ one, nearDuplicates }) =>
    briefLine(one.row, { text: one.text, voice: 'record', nearDuplicates }),
  );
}

/** Whether the same tool ran again and passed, or ended unseen. */
function mayHavePassed({ commands }: ObservationLine, runner: string): boolean {
  return commands.some(
    ({ command, outcome }) => outcome !== 'failed' && runnerOf(essence(command) || command) === runner,
  );
}

/** Whether its last run in this piece of work succeeded. */
function endedWell(row: ObservationLine, what: string): boolean {
  const last = row.commands.findLast(({ command }) => (essence(command) || command) === what);
  return last?.outcome === 'ok';
}

/** The test and, if known, the error it failed with; otherwise the runner's last line. */
function failedText(row: ObservationLine, what: string, runnerLine: string | null): string {
  const runner = runnerOf(what);
  const error = row.errors.find(
    ({ command, fixedBy }) => fixedBy === null && runnerOf(essence(command) || command) === runner,
  );
  const why = error?.error ?? runnerWords('failed', runnerLine);
  const because = why === null || why === undefined ? '' : `: ${clipSentence(why, ERROR_CHARS_MAX)}`;
  return `\`${clipSentence(what, COMMAND_CHARS_MAX)}\` failed the last time its end was seen${because}`;
}
