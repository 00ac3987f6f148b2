// A line diff for showing a planned change.
import { structuredPatch } from 'diff';

const CONTEXT_LINES = 3;

/**
 * Lines prefixed with `+`, `-` or two spaces, three lines around each change, `…` between. Empty when nothing changes.
 */
export function lineDiff(before: string, after: string): readonly string[] {
  const { hunks } = structuredPatch('', '', withLineEnd(before), withLineEnd(after), '', '', {
    context: CONTEXT_LINES,
    stripTrailingCr: true,
  });
  return hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : ['…']),
    ...lines.map((line) => `${line[0]} ${line.slice(1)}`),
  ]);
}

/** A missing line end after the last line is not shown as a change. */
function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
