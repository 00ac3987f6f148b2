import { useMemo } from 'preact/hooks';

const WORDS_MAX = 20;

/** The text with words marked, also where they begin a longer one. */
export function Highlighted({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const pattern = useMemo(() => patternOf(words), [words.join('\n')]);
  if (pattern === null) return <>{text}</>;
  return (
    <>
      {text.split(pattern).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
    </>
  );
}

function patternOf(words: readonly string[]): RegExp | null {
  const wanted = [...new Set(words.filter((word) => word.length > 1))]
    .slice(0, WORDS_MAX)
    .sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return null;
  const any = wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(${any})`, 'giu');
}
