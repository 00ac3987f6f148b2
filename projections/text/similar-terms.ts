// Which terms a term is widened to that nothing holds: those that it begins, and those a few edits away, by the rules
// of MiniSearch. The packed terms are looked through by their letters, eight bytes a term, and only the few that can be
// near are read: of 47,688 terms that takes a millisecond. MiniSearch's own tree (SearchableMap) needs every term as a
// string first, 300 ms where a short command has 400 for everything.
import { letterBits, mayBeNear } from './term-letters.ts';
import type { TermTable } from './text-columns.ts';
import { WIDENING } from './text-recipe.ts';

export interface SimilarTerm {
  readonly term: string;
  /** Whether the other begins with it. */
  readonly begins: boolean;
  /** Letters more, where it begins so; else edits. */
  readonly distance: number;
}

/** Of the packed terms and of those that came since, each once, in order. */
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
  // One order whatever the index went through: scores are rounded, but not what is added up for them.
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
