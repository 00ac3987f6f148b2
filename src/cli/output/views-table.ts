// Prints views as a table: name, events, time, digest.
import type { ViewReport } from '../../api.ts';
import { toCells } from '../../terminal-text/plain-text.ts';
import { duration } from '../../terminal-text/time-text.ts';
import type { Session } from '../command/command.ts';
import { count } from './amount.ts';

const DIGEST_SHOWN = 16;

export async function printViews(
  { terminal }: Pick<Session, 'terminal'>,
  views: readonly ViewReport[],
): Promise<void> {
  const { style } = terminal;
  const names = Math.max(4, ...views.map(({ name }) => name.length));
  await terminal.line(
    style.dim(`${toCells('view', names)}  ${'events'.padStart(9)}  ${'time'.padStart(9)}  digest`),
  );
  for (const { name, events, ms, digest } of views)
    await terminal.line(
      `${toCells(name, names)}  ${count(events).padStart(9)}  ${duration(ms).padStart(9)}  ${digest.slice(0, DIGEST_SHOWN)}`,
    );
}
