// `--as-of` for every command that reads: the option, the progress of the replay, and the note above the answer.
import type { Command } from 'commander';
import type { AsOfOptions, AsOfReport } from '../api.ts';
import { duration, timeText } from '../terminal-text/time-text.ts';
import type { Session } from './command/command.ts';
import { count } from './output/amount.ts';
import { createProgress, percent } from './output/progress-line.ts';

export function withAsOf(command: Command): Command {
  return command.option('--as-of <when>', 'the state at a log position (5000) or at a time (7d, 2026-03-25)');
}

/** Runs the query. With `--as-of` it replays the log first and shows how far it is. */
export async function askAsOf<T>(
  { terminal, world }: Session,
  asOf: string | undefined,
  ask: (options: AsOfOptions) => Promise<T>,
): Promise<T> {
  if (asOf === undefined) return ask({});
  const progress = createProgress(terminal, world.now);
  return ask({
    asOf,
    onProgress: (done, total) => progress.report(() => `Replaying: ${percent(done, total)}`),
  }).finally(() => progress.end());
}

export function printAsOf({ terminal }: Session, report: AsOfReport | undefined): void {
  if (report === undefined) return;
  const when =
    report.time === null
      ? `at position ${count(report.position ?? 0)}`
      : `by ${timeText(Date.parse(report.time))}`;
  terminal.note(
    terminal.style.dim(
      `As it was ${when}: ${count(report.head)} positions replayed in ${duration(report.ms)}.`,
    ),
  );
}
