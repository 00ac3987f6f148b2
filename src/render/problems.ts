// What is still open: tests that failed the last time they ran, errors that nothing made go away. A later success
// of the same command, or of the same runner for tests, closes what came before it.
import type { ObservationLine } from '../../projections/index.ts';
import { bare, folded } from './alike.ts';
import type { BriefLine } from './brief.ts';
import { lineOf } from './lines.ts';
import { runnerOf } from './running.ts';

interface Problem {
  readonly row: ObservationLine;
  readonly text: string;
  readonly name: string;
}

/** @param observations newest first */
export function openProblems(observations: readonly ObservationLine[]): BriefLine[] {
  const passed = new Set<string>();
  const ended = new Set<string>();
  const cured = new Set<string>();
  const open: Problem[] = [];
  for (const row of observations) {
    for (const { command, after, said } of [...row.tests].reverse()) {
      const runner = runnerOf(command);
      if (after === 'failed' && !passed.has(runner)) {
        const text = `\`${command}\` failed the last time it ran${said === null ? '' : `: ${said}`}`;
        open.push({ row, text, name: `test ${runner}` });
      }
      // Only the newest outcome of a runner counts.
      passed.add(runner);
    }
    for (const { error, fixedBy } of row.errors) if (fixedBy !== null) cured.add(bare(error));
    for (const { error, command, fixedBy } of row.errors) {
      if (fixedBy !== null || cured.has(bare(error)) || ended.has(command)) continue;
      open.push({ row, text: `${error} (on \`${command}\`)`, name: `error ${bare(error)}` });
    }
    for (const { command, outcome } of row.commands) if (outcome === 'ok') ended.add(command);
  }
  return folded(open, ({ name }) => [name]).map(({ one, alike }) =>
    lineOf(one.row, { text: one.text, voice: 'record', alike }),
  );
}
