// The part of an event that shows why a plan of forgetting names it: what was searched for, with some words around it.
import type { ForgetMatch } from '../api.ts';
import { foldCase } from './fold-case.ts';

const AROUND_CHARS = 60;

/** The first place in an event's body that holds the words, in any case; null if no single text of it does. */
export function matchedText(body: unknown, words: string): ForgetMatch | null {
  const wanted = foldCase(words.trim());
  if (wanted === '') return null;
  for (const text of textsIn(body)) {
    if (!foldCase(text).includes(wanted)) continue;
    const [from, to] = spanOf(text, wanted);
    return {
      before: line(`${from > AROUND_CHARS ? '…' : ''}${text.slice(Math.max(0, from - AROUND_CHARS), from)}`),
      text: line(text.slice(from, to)),
      after: line(`${text.slice(to, to + AROUND_CHARS)}${text.length > to + AROUND_CHARS ? '…' : ''}`),
    };
  }
  return null;
}

/** Folding changes the length of some texts, so the place is searched for: the shortest span that holds the words. */
function spanOf(text: string, wanted: string): readonly [from: number, to: number] {
  const to = smallest(0, text.length, (end) => foldCase(text.slice(0, end)).includes(wanted));
  const length = smallest(0, to, (chars) => foldCase(text.slice(to - chars, to)).includes(wanted));
  return [to - length, to];
}

/** The smallest number from which on something holds; it holds for `high`. */
function smallest(low: number, high: number, holds: (number: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return to;
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner);
}

function line(text: string): string {
  return text.replace(/\s+/g, ' ').toWellFormed();
}
