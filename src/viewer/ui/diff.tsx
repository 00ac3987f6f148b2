// A change of a file, line by line.
import { useMemo } from 'preact/hooks';
import { type DiffLine, linesOf, shortened } from './diff-lines.ts';
import { plain } from './plain.ts';
import { ScrollText } from './scroll-text.tsx';

export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => shortened(linesOf(plain(before), plain(after))), [before, after]);
  return <Lines lines={lines} />;
}

/** A patch that is a text already. */
export function Patch({ text }: { readonly text: string }) {
  const lines = plain(text)
    .split('\n')
    .map((line): DiffLine => {
      const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
      return { sign, text: sign === ' ' ? line.replace(/^ /, '') : line.slice(1) };
    });
  return <Lines lines={lines} />;
}

const NAMES = { '+': 'added', '-': 'removed', ' ': 'same', '…': 'skipped' } as const;

function Lines({ lines }: { readonly lines: readonly DiffLine[] }) {
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
