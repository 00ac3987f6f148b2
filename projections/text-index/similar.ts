// Which terms a term is widened to that nothing holds: those that it begins, and those a few edits away.
import { WIDENING } from './recipe.ts';

export interface SimilarTerm {
  readonly term: string;
  /** Whether the other begins with it. */
  readonly begins: boolean;
  /** Letters more, where it begins so; else edits. */
  readonly distance: number;
}

export function similarTerms(term: string, all: readonly string[]): SimilarTerm[] {
  const edits =
    term.length < WIDENING.fuzzyLengthMin
      ? 0
      : Math.min(WIDENING.maxFuzzy, Math.round(term.length * WIDENING.fuzzy));
  const parts = pieces(term, edits + 1);
  const begins = term.length >= WIDENING.prefixLengthMin;
  return all.flatMap((other): SimilarTerm[] => {
    if (begins && other.length > term.length && other.startsWith(term))
      return [{ term: other, begins: true, distance: other.length - term.length }];
    if (edits === 0 || Math.abs(other.length - term.length) > edits) return [];
    if (!parts.some((part) => other.includes(part))) return [];
    const distance = editsBetween(term, other, edits);
    return distance === null || distance === 0 ? [] : [{ term: other, begins: false, distance }];
  });
}

/** So many edits cannot touch one piece more: what is that near still holds one of them. */
function pieces(term: string, count: number): string[] {
  const length = Math.ceil(term.length / count);
  return Array.from({ length: count }, (_, at) => term.slice(at * length, (at + 1) * length));
}

/** How many insertions, removals and replacements make one term the other; null for more than `edits`. */
function editsBetween(one: string, other: string, edits: number): number | null {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let at = 1; at <= other.length; at++) {
      const replaced = before[at - 1]! + (one.charCodeAt(row - 1) === other.charCodeAt(at - 1) ? 0 : 1);
      now.push(Math.min(replaced, before[at]! + 1, now[at - 1]! + 1));
    }
    if (Math.min(...now) > edits) return null;
    before = now;
  }
  return before[other.length]! <= edits ? before[other.length]! : null;
}
