// A term that no document contains is widened to the same terms that MiniSearch's own tree finds.
import SearchableMap from 'minisearch/SearchableMap';
import { describe, expect, it } from 'vitest';
import { similarTerms } from '../../../projections/text/similar-terms.ts';
import { TermTable } from '../../../projections/text/text-columns.ts';
import { WIDENING } from '../../../projections/text/text-recipe.ts';
import { randomNumbers } from './random-documents.ts';

const random = randomNumbers(17);

function word(letters: string): string {
  const length = 1 + Math.floor(random() * 11);
  return Array.from({ length }, () => [...letters][Math.floor(random() * [...letters].length)]!).join('');
}

function tableOf(terms: readonly string[]): TermTable {
  const sorted = [...terms].sort();
  const offsets = [0];
  for (const term of sorted) offsets.push(offsets.at(-1)! + Buffer.byteLength(term));
  return new TermTable(Buffer.from(sorted.join('')), Uint32Array.from(offsets));
}

/** MiniSearch's widening: terms that begin with the term, and near ones of the rest. */
function inTree(tree: SearchableMap<true>, term: string): [string, number][] {
  const found = new Map<string, number>();
  if (term.length >= WIDENING.prefixLengthMin)
    for (const [other] of tree.atPrefix(term))
      if (other !== term) found.set(other, other.length - term.length);
  const edits =
    term.length < WIDENING.fuzzyLengthMin
      ? 0
      : Math.min(WIDENING.maxFuzzy, Math.round(term.length * WIDENING.fuzzy));
  for (const [other, [, distance]] of edits > 0 ? tree.fuzzyGet(term, edits) : [])
    if (distance > 0 && !found.has(other)) found.set(other, distance);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('A term that no document contains', () => {
  it.each([
    ['few letters', 'abcde'],
    ['letters, digits and signs', 'abcdefghijklmnopqrstuvwxyz0123456789_$@#'],
    ['letters of other scripts', 'abcdeé保留ß😀z'],
  ])('is widened as MiniSearch widens it, among words of %s', (_, letters) => {
    const known = [...new Set(Array.from({ length: 600 }, () => word(letters)))];
    const tree = SearchableMap.from(known.map((term): [string, true] => [term, true]));
    const packed = tableOf(known.slice(0, 400));
    const changed = known.map((term) => term.slice(0, 2) + word(letters).slice(0, 2) + term.slice(3));
    let widened = 0;
    for (const term of [...changed, ...Array.from({ length: 200 }, () => word(letters))]) {
      const similar = similarTerms(term, packed, known.slice(400));
      expect(
        similar.map((one) => [one.term, one.distance]),
        term,
      ).toEqual(inTree(tree, term));
      widened += similar.length;
    }
    expect(widened).toBeGreaterThan(50);
  });
});
