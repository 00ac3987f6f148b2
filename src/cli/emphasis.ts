// Marks the words of a snippet that the query asked for. The index matches by stem and by parts of
// identifiers; here a word counts when it holds a query word, or shares all but its ending.
import type { Style } from './terminal.ts';

const WORD = /[\p{L}\p{N}_$@#]+/gu;

export function emphasise(text: string, query: string, style: Style): string {
  const asked = (query.toLowerCase().match(WORD) ?? []).filter((word) => word.length > 1);
  return text.replace(WORD, (word) =>
    asked.some((term) => matches(word.toLowerCase(), term)) ? style.bold(style.yellow(word)) : word,
  );
}

function matches(word: string, term: string): boolean {
  if (word === term) return true;
  if (term.length < 4) return false;
  if (word.includes(term)) return true;
  const stem = term.slice(0, Math.max(4, term.length - 3));
  return word.startsWith(stem) && Math.abs(word.length - term.length) <= 4;
}
