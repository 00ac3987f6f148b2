// A change of a file, line by line.
import { diffLines } from 'diff';
import { useMemo } from 'preact/hooks';
import { plain } from './plain.ts';
import { ScrollText } from './scroll-text.tsx';

/** Longer texts are not compared: they are shown one after the other. */
const CHARS_MAX = 40_000;
/** Unchanged lines around a change. */
const AROUND = 3;

interface Line {
  readonly sign: '+' | '-' | ' ' | '…';
  readonly text: string;
}

export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => shortened(linesOf(plain(before), plain(after))), [before, after]);
  return <Lines lines={lines} />;
}

/** A patch that is a text already. */
export function Patch({ text }: { readonly text: string }) {
  const lines = plain(text)
    .split('\n')
    .map((line): Line => {
      const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
      return { sign, text: sign === ' ' ? line.replace(/^ /, '') : line.slice(1) };
    });
  return <Lines lines={lines} />;
}

const NAMES = { '+': 'added', '-': 'removed', ' ': 'same', '…': 'skipped' } as const;

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ScrollText class="diff" label="Change">
      {lines.map(({ sign, text }, index) => (
        <span key={index} class={NAMES[sign]}>
          {sign} {text}
          {'\n'}
        </span>
      ))}
    </ScrollText>
  );
}

function linesOf(before: string, after: string): readonly Line[] {
  const signed = (sign: Line['sign'], text: string): Line[] =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => ({ sign, text: line }));
  if (before.length + after.length > CHARS_MAX) return [...signed('-', before), ...signed('+', after)];
  return diffLines(before, after).flatMap(({ added, removed, value }) =>
    signed(added ? '+' : removed ? '-' : ' ', value),
  );
}

function shortened(lines: readonly Line[]): readonly Line[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ sign }) => sign !== ' '),
  );
  return lines.flatMap((line, index): Line[] => {
    if (isNear[index]) return [line];
    return index === 0 || isNear[index - 1] ? [{ sign: '…', text: '' }] : [];
  });
}
