// Which terms MiniSearch would widen a term to, found without its tree: a snapshot then hands it only those. A
// term too many costs time, one too few an answer; the tests hold both ways against each other.
import { WIDENING } from './recipe.ts';

/** As MiniSearch widens: the terms that this one begins, and those a few edits away. */
export function similarTerms(term: string, all: readonly string[]): string[] {
  const edits =
    term.length < WIDENING.fuzzyLengthMin
      ? 0
      : Math.min(WIDENING.maxFuzzy, Math.round(term.length * WIDENING.fuzzy));
  const parts = pieces(term, edits + 1);
  const begins = term.length >= WIDENING.prefixLengthMin;
  return all.filter(
    (other) =>
      (begins && other.startsWith(term)) ||
      (edits > 0 &&
        Math.abs(other.length - term.length) <= edits &&
        parts.some((part) => other.includes(part)) &&
        isWithin(term, other, edits)),
  );
}

/** So many edits cannot touch one piece more: what is that near still holds one of them. */
function pieces(term: string, count: number): string[] {
  const length = Math.ceil(term.length / count);
  return Array.from({ length: count }, (_, at) => term.slice(at * length, (at + 1) * length));
}

/** Whether one term becomes the other by at most so many insertions, removals and replacements. */
function isWithin(one: string, other: string, edits: number): boolean {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let at = 1; at <= other.length; at++) {
      const replaced = before[at - 1]! + (one.charCodeAt(row - 1) === other.charCodeAt(at - 1) ? 0 : 1);
      now.push(Math.min(replaced, before[at]! + 1, now[at - 1]! + 1));
    }
    if (Math.min(...now) > edits) return false;
    before = now;
  }
  return before[other.length]! <= edits;
}
