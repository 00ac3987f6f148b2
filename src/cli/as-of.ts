// `--as-of`, for every command that reads: how it is asked, how far the replay is, and what the answer says of it.
import type { Command } from 'commander';
import type { AsOfOptions, AsOfReport } from '../api.ts';
import { duration } from '../render/when.ts';
import { count } from './amount.ts';
import type { Session } from './command.ts';
import { createProgress, percent } from './progress.ts';

export function withAsOf(command: Command): Command {
  return command.option(
    '--as-of <when>',
    'what the log held at a position (5000), or what had happened by a time (7d, 2026-03-25)',
  );
}

/** Asks with progress; without `--as-of` there is nothing to wait for. */
export async function asking<T>(
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

export function sayAsOf({ terminal }: Session, report: AsOfReport | undefined): void {
  if (report === undefined) return;
  const when = report.time === null ? `at position ${count(report.position ?? 0)}` : `by ${report.time}`;
  terminal.note(
    terminal.style.dim(
      `As it was ${when}: ${count(report.head)} positions replayed in ${duration(report.ms)}.`,
    ),
  );
}
