// What is wrong in a JSON file that a person wrote.
import type { JsonProblem } from '../../agents/common/json-problems.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import type { Session } from '../command/command.ts';

export async function printJsonProblems(
  { terminal }: Session,
  file: string,
  problems: readonly JsonProblem[],
): Promise<void> {
  const { style } = terminal;
  await terminal.line(`${style.bold(plainLine(file))} cannot be used:`);
  for (const { field, value, allowed } of problems) {
    // Without a field it is the whole file, which was named.
    if (field !== '' || value !== null)
      await terminal.line(
        `  ${field === '' ? 'the file' : plainLine(field)}: ${plainLine(value ?? 'missing')}`,
      );
    await terminal.line(style.dim(`      allowed: ${plainLine(allowed)}`));
  }
}
