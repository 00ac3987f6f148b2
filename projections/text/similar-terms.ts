// Widens a term that no document contains to terms that begin with it and to terms a few edits away, by the rules of
// MiniSearch. Terms are filtered by their letter bits, eight bytes a term, and only the few that can be near are
// decoded: one millisecond for 47,688 terms. MiniSearch's own tree (SearchableMap) needs every term as a string first:
// 300 ms, where a short command has 400 ms in total.
import { letterBits, mayBeNear } from './term-letters.ts';
import type { TermTable } from './text-columns.ts';
import { WIDENING } from './text-recipe.ts';

export interface SimilarTerm {
  readonly term: string;
  /** Whether the similar term begins with the given one. */
  readonly begins: boolean;
  /** Additional letters when it begins with the given term, else edits. */
  readonly distance: number;
}

/** Similar terms of the columns and of those added since, each once, sorted. */
export function similarTerms(term: string, columns: TermTable, added: Iterable<string>): SimilarTerm[] {
  const edits = editsFor(term);
  const letters = letterBits(term);
  const found = new Map<string, SimilarTerm>();
  const take = (other: string) => {
    const similar = similarity(term, other, edits);
    if (similar !== null) found.set(other, similar);
  };
  if (term.length >= WIDENING.prefixLengthMin) for (const other of columns.beginningWith(term)) take(other);
  if (edits > 0) for (const other of columns.perhapsNear(term, edits)) take(other);
  for (const other of added)
    if (other.startsWith(term) || mayBeNear(letters, letterBits(other), edits)) take(other);
  // A fixed order, whatever the history of the index: scores are rounded, but their summands are not.
  return [...found.values()].sort((a, b) => (a.term < b.term ? -1 : 1));
}

function editsFor(term: string): number {
  if (term.length < WIDENING.fuzzyLengthMin) return 0;
  return Math.min(WIDENING.maxFuzzy, Math.round(term.length * WIDENING.fuzzy));
}

function similarity(term: string, other: string, edits: number): SimilarTerm | null {
  const more = other.length - term.length;
  if (more > 0 && term.length >= WIDENING.prefixLengthMin && other.startsWith(term))
    return { term: other, begins: true, distance: more };
  if (Math.abs(more) > edits) return null;
  const distance = editsBetween(term, other, edits);
  return distance === null || distance === 0 ? null : { term: other, begins: false, distance };
}

/** The edit distance (insertions, removals, replacements); null when above `edits`. */
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
