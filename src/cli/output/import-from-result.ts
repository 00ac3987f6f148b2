// Prints what was imported from another tool's memory, by kind, and what was left out and why.
import type { ImportFromReport } from '../../api.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { duration } from '../../terminal-text/time-text.ts';
import type { Session } from '../command/command.ts';
import { count, counted } from './amount.ts';

const SKIPPED_SHOWN = 5;
const PLURALS: Readonly<Record<string, string>> = { summary: 'summaries' };

export async function printImportedFrom(
  { terminal, name }: Session,
  report: ImportFromReport,
): Promise<void> {
  const { style } = terminal;
  const files = counted(report.files, 'file');
  await terminal.line(
    `${style.bold(`Read ${files} of ${report.from}`)} in ${duration(report.ms)}: ${counted(report.appended, 'new event')}.`,
  );
  for (const [kind, { read, ...outcomes }] of Object.entries(report.kinds)) {
    const parts = Object.entries(outcomes).flatMap(([what, number]) =>
      number === 0 ? [] : `${count(number)} ${what}`,
    );
    const details = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
    await terminal.line(`  ${counted(read, kind, PLURALS[kind])}${details}`);
  }
  for (const [reason, number] of Object.entries(report.skipped))
    terminal.note(`${counted(number, 'memory', 'memories')} not imported: ${plainLine(reason)}`);
  for (const { file, what, reason } of report.skippedItems.slice(0, SKIPPED_SHOWN))
    terminal.note(`  ${plainLine(what)} of ${plainLine(file)}: ${plainLine(reason)}`);
  const more = Object.values(report.skipped).reduce((sum, number) => sum + number, 0) - SKIPPED_SHOWN;
  if (more > 0) terminal.note(`  and ${count(more)} more (--json lists them)`);
  for (const { path, reason } of report.unreadable)
    terminal.note(`${style.yellow('not read:')} ${plainLine(path)}: it ${plainLine(reason)}`);
  if (report.appended > 0) terminal.tip(`Try: ${name} search kind:imported "words that you remember"`);
}
