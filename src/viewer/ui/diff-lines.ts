// Compares two texts line by line.
import { diffLines } from 'diff';

/** Longer texts, and those with more changed lines, are not compared: they are shown one after the other. */
const CHARS_MAX = 40_000;
const CHANGED_LINES_MAX = 500;
/** Unchanged lines around a change. */
const AROUND = 3;

export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '…';
  readonly text: string;
}

export function linesOf(before: string, after: string): readonly DiffLine[] {
  const signed = (sign: DiffLine['sign'], text: string): DiffLine[] =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => ({ sign, text: line }));
  const changes =
    before.length + after.length > CHARS_MAX
      ? undefined
      : // An edit names a part of a file, whose last line has no end.
        diffLines(before, after, { ignoreNewlineAtEof: true, maxEditLength: CHANGED_LINES_MAX });
  if (changes === undefined) return [...signed('-', before), ...signed('+', after)];
  return changes.flatMap(({ added, removed, value }) => signed(added ? '+' : removed ? '-' : ' ', value));
}

/** Without what is far from a change. */
export function shortened(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ sign }) => sign !== ' '),
  );
  return lines.flatMap((line, index): DiffLine[] => {
    if (isNear[index]) return [line];
    return index === 0 || isNear[index - 1] ? [{ sign: '…', text: '' }] : [];
  });
}
